import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import type { ContractLines } from './contract-lines.ts';
import type { StaffContract } from './read-operations.ts';

/** A line of the contract's prose, with what holds it. */
export interface HeldLine {
  readonly line: string;
  readonly held: readonly Guarantee[];
}

export interface LineSources {
  readonly contract: StaffContract;
  readonly contractLines: ContractLines;
  readonly guarantees: readonly Guarantee[];
}

/** The prose by operation, and as `info` that about all of them, each line with its tests; and all that does not fit. */
export function checkLines({ contract, contractLines, guarantees }: LineSources): {
  readonly held: Readonly<Record<string, readonly HeldLine[]>>;
  readonly gaps: readonly string[];
} {
  const gaps: string[] = [];
  const { lines, operations, sent, members } = contract;
  const byOwner: Record<string, readonly string[]> = {
    info: lines,
    ...Object.fromEntries(operations.map((one) => [one.operationId, one.lines])),
    ...sent,
    // Most members are only named; those with rules of their own are listed.
    ...Object.fromEntries(Object.entries(members).filter(([name]) => name in contractLines)),
  };
  const held = Object.entries(byOwner).map(([owner, lines]): [string, HeldLine[]] => {
    const entries = contractLines[owner] ?? [];
    for (const [says] of entries) {
      const count = lines.filter((line) => line.includes(says)).length;
      if (count !== 1) gaps.push(`contract-lines.ts: ${count} lines of ${owner} say "${says}".`);
    }
    const heldLines = lines.map((line) => {
      const names = entries.filter(([says]) => line.includes(says)).flatMap(([, ...tests]) => tests);
      if (names.length === 0) gaps.push(`contract-lines.ts: nothing holds this line of ${owner}: "${line}"`);
      return { line, held: names.flatMap((name) => find(owner, name)) };
    });
    return [owner, heldLines];
  });
  for (const owner of Object.keys(contractLines)) {
    if (!(owner in byOwner)) gaps.push(`contract-lines.ts: the contract says nothing of ${owner}.`);
  }
  return { held: Object.fromEntries(held), gaps };

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
