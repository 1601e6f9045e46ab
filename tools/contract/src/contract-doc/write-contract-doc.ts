import { join } from 'node:path';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import { findGaps, type Listed } from '../guarantees/find-gaps.ts';
import { ToolFailure } from '../tool-failure.ts';
import { rootFolder } from '../workspace.ts';
import { type ContractLines, checkLines } from './check-lines.ts';
import { type ContractDocSources, emitContractDoc } from './emit-contract-doc.ts';
import type { StaffContract } from './read-operations.ts';

export interface ContractDoc extends Pick<ContractDocSources, 'before' | 'reasons'> {
  /** Its name in docs/reports/. */
  readonly file: string;
  readonly madeFrom: string;
  readonly contract: StaffContract;
  readonly contractLines: ContractLines;
  /** What the report lists in addition to the operations of the contract, by subject. */
  readonly listed: Readonly<Record<string, readonly Listed[]>>;
  /** The tests, each of one operation or thing. */
  readonly guarantees: readonly Guarantee[];
  /** Those whose rules must belong to a line of the contract; the rules of all others are in another report. */
  readonly ownGuarantees?: readonly Guarantee[];
}

/**
 * Writes docs/reports/<file> from a contract and the titles of acceptance tests.
 * @throws ToolFailure while something is listed without a test, or tested without being listed
 */
export function writeContractDoc(doc: ContractDoc): void {
  const { file, contract, contractLines, guarantees, ownGuarantees = guarantees, reasons } = doc;
  const { operations } = contract;
  const things = {
    ...doc.listed,
    ...Object.fromEntries(operations.map(({ operationId, listed }) => [operationId, listed])),
  };
  const { checked, gaps } = checkLines({ contract, contractLines, guarantees });
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
    contractLines,
  );
  const all = [...new Set([...untested, ...gaps, ...idle])];
  if (all.length > 0) throw new ToolFailure(`docs/reports/${file} cannot be written:\n  ${all.join('\n  ')}`);
  const header = `<!-- ${generatedBy(doc.madeFrom)} -->\n`;
  writeGenerated(
    join(rootFolder, 'docs/reports', file),
    `${header}${emitContractDoc({ ...doc, operations, checkedLines: checked })}\n`,
  );
}

/** Returns the rules that tests name and no entry of contract-lines.ts uses. */
function findIdleRules(rules: readonly { readonly name: string }[], contractLines: ContractLines): string[] {
  const used = new Set(Object.values(contractLines).flatMap((lines) => lines.flatMap(([, ...tests]) => tests)));
  return rules
    .filter(({ name }) => !used.has(`rule ${name}`))
    .map(({ name }) => `A test is called "rule ${name}", which contract-lines.ts does not name.`);
}
