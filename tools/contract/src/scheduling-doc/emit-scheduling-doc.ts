import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import { emitGuarantees, emitLinks, escapeCell } from '../guarantees/emit-guarantees.ts';
import type { GuaranteedThings } from '../guarantees/find-gaps.ts';
import type { HeldLine } from './check-lines.ts';
import type { Operation } from './read-operations.ts';

export interface SchedulingDocSources extends GuaranteedThings {
  readonly operations: readonly Operation[];
  readonly heldLines: Readonly<Record<string, readonly HeldLine[]>>;
  /** Why something has no test, by its name. */
  readonly reasons: Readonly<Record<string, string>>;
  /** How to run the server, in Markdown. */
  readonly running: string;
}

/** The scheduling API's page: how to run it, and each line of its contract with the tests that hold it. */
export function emitSchedulingDoc(sources: SchedulingDocSources): string {
  const { operations, heldLines, running } = sources;
  return `# The scheduling API

${running.trim()}

## Settings

Of the command line, the environment (\`ROSTERGATE_SCHEDULING_<NAME>\`), \`scheduling.json\` and the default the first that has
a value wins.

${emitGuarantees(sources, 'setting')}

## Commands

${emitGuarantees(sources, 'command')}

## The contract, line by line

Every line of the contract (\`specs/staff\`) with the tests that hold the running server to it. What a line says of one
operation stands with that operation. The tests run on SQLite and on PostgreSQL, most of them also through the staff proxy.

${emitLines(heldLines.info)}
${operations.map((operation) => emitOperation(operation, sources)).join('\n')}

### What is sent

${emitSent(sources)}`;
}

function emitOperation(operation: Operation, { heldLines, guarantees, reasons }: SchedulingDocSources): string {
  const { operationId, method, path, summary, listed } = operation;
  const rows = listed.map(({ name, description }) => {
    const held = guarantees.filter((guarantee) => isAbout(guarantee, operationId, name));
    return `| \`${name}\` | ${escapeCell(description)} | ${held.length > 0 ? emitLinks(held) : (reasons[name] ?? '')} |`;
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
function emitSent({ heldLines, operations }: SchedulingDocSources): string {
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
