/** What a line says, as far as it is needed to find it, and the names of the tests that hold it. */
export type ContractLine = readonly [says: string, ...tests: string[]];

/**
 * Which tests hold each line of prose in a contract: by a status or a parameter of the line's operation, or by a rule that
 * is no operation's alone. A line that is not here, or that the contract does not have, stops the page.
 */
export type ContractLines = Readonly<Record<string, readonly ContractLine[]>>;
