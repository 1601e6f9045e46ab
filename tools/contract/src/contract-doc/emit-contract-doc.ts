import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import { emitLinks, escapeCell } from '../guarantees/emit-guarantees.ts';
import type { GuaranteedThings } from '../guarantees/find-gaps.ts';
import type { HeldLine } from './check-lines.ts';
import type { Operation } from './read-operations.ts';

export interface ContractDocSources extends Pick<GuaranteedThings, 'guarantees'> {
  /** Everything before the contract, in Markdown: what it is, how to run it, what else it has. */
  readonly before: string;
  /** What the lines below are, in Markdown. */
  readonly introduction: string;
  readonly operations: readonly Operation[];
  readonly heldLines: Readonly<Record<string, readonly HeldLine[]>>;
  /** Why something has no test, by its name or by that of its operation and its own. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The page of a server that serves the staff contract: each line of its contract with the tests that hold it. */
export function emitContractDoc(sources: ContractDocSources): string {
  const { before, introduction, operations, heldLines } = sources;
  return `${before.trim()}

## The contract, line by line

${introduction.trim()}

${emitLines(heldLines.info)}
${operations.map((operation) => emitOperation(operation, sources)).join('\n')}

### What is sent

${emitSent(sources)}`;
}

function emitOperation(operation: Operation, { heldLines, guarantees, reasons }: ContractDocSources): string {
  const { operationId, method, path, summary, listed } = operation;
  const rows = listed.map(({ name, description }) => {
    const held = guarantees.filter((guarantee) => isAbout(guarantee, operationId, name));
    const why = reasons[`${operationId} ${name}`] ?? reasons[name] ?? '';
    return `| \`${name}\` | ${escapeCell(description)} | ${held.length > 0 ? emitLinks(held) : why} |`;
  });
  return `
### ${operationId}

\`${method} ${path}\` – ${summary}.

${emitLines(heldLines[operationId])}

| answer or parameter | what the contract says | held to it by the test |
|---|---|---|
${rows.join('\n')}`;
}

/** Lines about schemas and single members, each with the name of what it is about. */
function emitSent({ heldLines, operations }: ContractDocSources): string {
  const others = new Set(['info', ...operations.map(({ operationId }) => operationId)]);
  const rows = Object.entries(heldLines).flatMap(([owner, lines]) =>
    others.has(owner)
      ? []
      : lines.map(({ line, held }) => `| \`${owner}\` | ${escapeCell(line)} | ${emitLinks(held)} |`),
  );
  return ['| schema | the contract says | held to it by the test |', '|---|---|---|', ...rows].join('\n');
}

function emitLines(lines: readonly HeldLine[] = []): string {
  const rows = lines.map(({ line, held }) => `| ${escapeCell(line)} | ${emitLinks(held)} |`);
  return ['| the contract says | held to it by the test |', '|---|---|', ...rows].join('\n');
}

function isAbout({ subject, name }: Guarantee, operationId: string, listed: string): boolean {
  return subject === operationId && name === listed;
}
