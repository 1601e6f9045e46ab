import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import type { StaffContract } from './read-operations.ts';

/** Words that identify a line of prose, and the names of the tests that check it. */
export type ContractLine = readonly [says: string, ...tests: string[]];

/**
 * The tests of each line of prose in a contract, by operation, schema or `info`. A test is named by a status or parameter
 * of the line's operation, or by `subject name`. A line without an entry, or an entry without a line, is a gap.
 */
export type ContractLines = Readonly<Record<string, readonly ContractLine[]>>;

/** A line of the contract's prose with the tests that check it. */
export interface CheckedLine {
  readonly line: string;
  readonly tests: readonly Guarantee[];
}

export interface LineSources {
  readonly contract: StaffContract;
  readonly contractLines: ContractLines;
  readonly guarantees: readonly Guarantee[];
}

/** Returns the lines of each operation and schema, and of the contract as `info`, with their tests; and every gap. */
export function checkLines({ contract, contractLines, guarantees }: LineSources): {
  readonly checked: Readonly<Record<string, readonly CheckedLine[]>>;
  readonly gaps: readonly string[];
} {
  const gaps: string[] = [];
  const { lines, operations, sent, members } = contract;
  const byOwner: Record<string, readonly string[]> = {
    info: lines,
    ...Object.fromEntries(operations.map((one) => [one.operationId, one.lines])),
    ...sent,
    // Only members with rules of their own have entries.
    ...Object.fromEntries(Object.entries(members).filter(([name]) => name in contractLines)),
  };
  const checked = Object.entries(byOwner).map(([owner, lines]): [string, CheckedLine[]] => {
    const entries = contractLines[owner] ?? [];
    for (const [says] of entries) {
      const count = lines.filter((line) => line.includes(says)).length;
      if (count !== 1) gaps.push(`contract-lines.ts: ${count} lines of ${owner} contain "${says}".`);
    }
    const checkedLines = lines.map((line) => {
      const names = entries.filter(([says]) => line.includes(says)).flatMap(([, ...tests]) => tests);
      if (names.length === 0) gaps.push(`contract-lines.ts: no test checks this line of ${owner}: "${line}"`);
      return { line, tests: names.flatMap((name) => find(owner, name)) };
    });
    return [owner, checkedLines];
  });
  for (const owner of Object.keys(contractLines)) {
    if (!(owner in byOwner)) gaps.push(`contract-lines.ts: the contract has no lines about ${owner}.`);
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
