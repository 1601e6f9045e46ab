import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import { emitCount, escapeCell } from '../guarantees/emit-guarantees.ts';
import type { GuaranteedThings } from '../guarantees/find-gaps.ts';
import type { CheckedLine } from './check-lines.ts';
import type { Operation } from './read-operations.ts';

export interface ContractDocSources extends Pick<GuaranteedThings, 'guarantees'> {
  /** Everything before the contract, in Markdown. */
  readonly before: string;
  readonly operations: readonly Operation[];
  readonly checkedLines: Readonly<Record<string, readonly CheckedLine[]>>;
  /** Why something has no test of its own, by its name or by `operation name`. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Returns the report of a server that serves the staff contract: how many tests check each part of the contract. */
export function emitContractDoc(sources: ContractDocSources): string {
  const { before, operations, checkedLines, reasons } = sources;
  const operationIds = new Set(operations.map(({ operationId }) => operationId));
  const schemaLines = Object.entries(checkedLines).filter(([owner]) => owner !== 'info' && !operationIds.has(owner));
  return `${before.trim()}

## Operations

*Statements* are the sentences of the operation's description. A test checks each statement, response and parameter.

| operation | request | statements | responses and parameters | tests |
|---|---|---|---|---|
${operations.map((operation) => emitOperation(operation, sources)).join('\n')}

${Object.entries(reasons)
  .map(([name, reason]) => `- \`${name}\` has no test of its own where none is listed: it ${reason}.`)
  .join('\n')}

## Rules for all operations

| statement | tests |
|---|---|
${(checkedLines.info ?? []).map(({ line, tests }) => `| ${escapeCell(line)} | ${emitCount(tests)} |`).join('\n')}

## Schemas

| schema | statement | tests |
|---|---|---|
${schemaLines
  .flatMap(([owner, lines]) =>
    lines.map(({ line, tests }) => `| \`${owner}\` | ${escapeCell(line)} | ${emitCount(tests)} |`),
  )
  .join('\n')}`;
}

function emitOperation(operation: Operation, { checkedLines, guarantees }: ContractDocSources): string {
  const { operationId, method, path, listed } = operation;
  const lines = checkedLines[operationId] ?? [];
  const tests: Guarantee[] = [
    ...lines.flatMap((line) => line.tests),
    ...guarantees.filter(({ subject, name }) => subject === operationId && listed.some((one) => one.name === name)),
  ];
  const names = listed.map(({ name }) => `\`${name}\``).join(' ');
  return `| \`${operationId}\` | \`${method} ${path}\` | ${lines.length} | ${names} | ${emitCount(tests)} |`;
}
