import type { Guarantee } from './guarantees.ts';
import type { StaffContract } from './read-operations.ts';

/** Words that identify a statement of prose, and the names of the tests that check it. */
export type StatementTest = readonly [words: string, ...tests: string[]];

/**
 * The tests of each statement of prose in a contract, by operation, schema or `info`. A test is named by a status or parameter
 * of the statement's operation, or by `subject name`. A statement without an entry, or an entry without a statement, is a gap.
 */
export type StatementTests = Readonly<Record<string, readonly StatementTest[]>>;

/** A statement of the contract's prose with the tests that check it. */
export interface CheckedStatement {
  readonly statement: string;
  readonly tests: readonly Guarantee[];
}

export interface StatementSources {
  readonly contract: StaffContract;
  readonly statementTests: StatementTests;
  readonly guarantees: readonly Guarantee[];
}

/** Returns the statements of each operation and schema, and of the contract as `info`, with their tests; and every gap. */
export function checkStatements({ contract, statementTests, guarantees }: StatementSources): {
  readonly checked: Readonly<Record<string, readonly CheckedStatement[]>>;
  readonly gaps: readonly string[];
} {
  const gaps: string[] = [];
  const { statements, operations, sent, members } = contract;
  const byOwner: Record<string, readonly string[]> = {
    info: statements,
    ...Object.fromEntries(operations.map((one) => [one.operationId, one.statements])),
    ...sent,
    // Only members with rules of their own have entries.
    ...Object.fromEntries(Object.entries(members).filter(([name]) => name in statementTests)),
  };
  const checked = Object.entries(byOwner).map(([owner, statements]): [string, CheckedStatement[]] => {
    const entries = statementTests[owner] ?? [];
    for (const [words] of entries) {
      const count = statements.filter((statement) => statement.includes(words)).length;
      if (count !== 1) gaps.push(`${count} statements of ${owner} contain "${words}".`);
    }
    const checkedStatements = statements.map((statement) => {
      const names = entries.filter(([words]) => statement.includes(words)).flatMap(([, ...tests]) => tests);
      if (names.length === 0) gaps.push(`No test checks this statement of ${owner}: "${statement}"`);
      return { statement, tests: names.flatMap((name) => find(owner, name)) };
    });
    return [owner, checkedStatements];
  });
  for (const owner of Object.keys(statementTests)) {
    if (!(owner in byOwner)) gaps.push(`The contract has no statements about ${owner}.`);
  }
  return { checked: Object.fromEntries(checked), gaps };

  function find(owner: string, name: string): Guarantee[] {
    const [subject = '', rest = ''] = name.includes(' ') ? splitAtSpace(name) : [owner, name];
    const found = guarantees.filter((guarantee) => guarantee.subject === subject && guarantee.name === rest);
    if (found.length === 0) gaps.push(`No acceptance test is called "${subject} ${rest}: …".`);
    return found;
  }
}

function splitAtSpace(name: string): [string, string] {
  const at = name.indexOf(' ');
  return [name.slice(0, at), name.slice(at + 1)];
}
