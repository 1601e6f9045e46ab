import { join } from 'node:path';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { rootFolder, ToolFailure } from '../workspace.ts';
import { findGaps, type Guarantee, type GuaranteedThings } from './guarantees.ts';
import type { Listed, Operation, StaffContract } from './read-operations.ts';
import { type CheckedStatement, checkStatements, type StatementTests } from './statements.ts';
import { emitCount, escapeCell } from './tables.ts';

interface ContractDocSources extends Pick<GuaranteedThings, 'guarantees'> {
  /** Everything before the contract, in Markdown. */
  readonly before: string;
  readonly operations: readonly Operation[];
  readonly checkedStatements: Readonly<Record<string, readonly CheckedStatement[]>>;
  /** Why something has no test of its own, by its name or by `operation name`. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Returns the report of a server that serves the staff contract: how many tests check each part of the contract. */
export function emitContractDoc(sources: ContractDocSources): string {
  const { before, operations, checkedStatements, reasons } = sources;
  const operationIds = new Set(operations.map(({ operationId }) => operationId));
  const schemaStatements = Object.entries(checkedStatements).filter(
    ([owner]) => owner !== 'info' && !operationIds.has(owner),
  );
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
${(checkedStatements.info ?? []).map(({ statement, tests }) => `| ${escapeCell(statement)} | ${emitCount(tests)} |`).join('\n')}

## Schemas

| schema | statement | tests |
|---|---|---|
${schemaStatements
  .flatMap(([owner, statements]) =>
    statements.map(({ statement, tests }) => `| \`${owner}\` | ${escapeCell(statement)} | ${emitCount(tests)} |`),
  )
  .join('\n')}`;
}

function emitOperation(operation: Operation, { checkedStatements, guarantees }: ContractDocSources): string {
  const { operationId, method, path, listed } = operation;
  const statements = checkedStatements[operationId] ?? [];
  const tests: Guarantee[] = [
    ...statements.flatMap((statement) => statement.tests),
    ...guarantees.filter(({ subject, name }) => subject === operationId && listed.some((one) => one.name === name)),
  ];
  const names = listed.map(({ name }) => `\`${name}\``).join(' ');
  return `| \`${operationId}\` | \`${method} ${path}\` | ${statements.length} | ${names} | ${emitCount(tests)} |`;
}

export interface ContractDoc extends Pick<ContractDocSources, 'before' | 'reasons'> {
  /** Its name in docs/reports/. */
  readonly file: string;
  readonly madeFrom: string;
  readonly contract: StaffContract;
  readonly statementTests: StatementTests;
  /** What the report lists in addition to the operations of the contract, by subject. */
  readonly listed: Readonly<Record<string, readonly Listed[]>>;
  /** The tests, each of one operation or thing. */
  readonly guarantees: readonly Guarantee[];
  /** Those whose rules must belong to a statement of the contract; the rules of all others are in another report. */
  readonly ownGuarantees?: readonly Guarantee[];
}

/**
 * Writes docs/reports/<file> from a contract and the titles of acceptance tests.
 * @throws ToolFailure while something is listed without a test, or tested without being listed
 */
export function writeContractDoc(doc: ContractDoc): void {
  const { file, contract, statementTests, guarantees, ownGuarantees = guarantees, reasons } = doc;
  const { operations } = contract;
  const things = {
    ...doc.listed,
    ...Object.fromEntries(operations.map(({ operationId, listed }) => [operationId, listed])),
  };
  const { checked, gaps } = checkStatements({ contract, statementTests, guarantees });
  const isTested = (subject: string, name: string) =>
    guarantees.some((one) => one.subject === subject && one.name === name);
  const isExcused = (subject: string, name: string) => name in reasons || `${subject} ${name}` in reasons;
  const toTest = Object.entries(things).map(([subject, listed]): [string, readonly Listed[]] => [
    subject,
    listed.filter(({ name }) => !isExcused(subject, name) || isTested(subject, name)),
  ]);
  const named = guarantees.filter(({ subject }) => subject !== 'rule');
  const untested = findGaps({ listed: Object.fromEntries(toTest), guarantees: named });
  const idle = findIdleRules(
    ownGuarantees.filter(({ subject }) => subject === 'rule'),
    statementTests,
  );
  const all = [...new Set([...untested, ...gaps, ...idle])];
  if (all.length > 0)
    throw new ToolFailure(
      `docs/reports/${file} cannot be written. Change the tests or reports/*-statements.ts in tools/contract:\n  ${all.join('\n  ')}`,
    );
  const header = `<!-- ${generatedBy(doc.madeFrom)} -->\n`;
  writeGenerated(
    join(rootFolder, 'docs/reports', file),
    `${header}${emitContractDoc({ ...doc, operations, checkedStatements: checked })}\n`,
  );
}

/** Returns the rules that tests name and no statement uses. */
function findIdleRules(rules: readonly { readonly name: string }[], statementTests: StatementTests): string[] {
  const used = new Set(
    Object.values(statementTests).flatMap((statements) => statements.flatMap(([, ...tests]) => tests)),
  );
  return rules
    .filter(({ name }) => !used.has(`rule ${name}`))
    .map(({ name }) => `A test is called "rule ${name}", which no statement names.`);
}
