import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadApp } from '../contract-doc/load-app.ts';
import { type Document, readOperations, type StaffContract } from '../contract-doc/read-operations.ts';
import { everyOperation, spreadGuarantees } from '../contract-doc/spread-guarantees.ts';
import { type ContractDoc, writeContractDoc } from '../contract-doc/write-contract-doc.ts';
import { type Guarantee, loadGuarantees, titleOf } from '../guarantees/collect-guarantees.ts';
import { emitGuarantees } from '../guarantees/emit-guarantees.ts';
import { rootFolder } from '../workspace.ts';
import { contractLines, reasons } from './contract-lines.ts';
import { emitDifferences, loadDifferenceGuarantees, loadDifferences } from './list-differences.ts';

/** The tests that run against both servers of the contract. */
const sharedTests = ['tools/acceptance/src/staff/**/*.test.ts'];
const ownTests = ['proxy', 'vendor', 'faults'].map((folder) => `tools/acceptance/src/${folder}/**/*.test.ts`);

/** Writes docs/reports/staff-proxy.md from the contract as the proxy serves it and the titles of the acceptance tests. */
export async function generateStaffProxyDoc(): Promise<void> {
  writeContractDoc(await readStaffProxyDoc());
}

/** Returns everything that the report names. */
export async function readStaffProxyDoc(): Promise<ContractDoc> {
  const contract = readContract('proxy.openapi.json');
  const people = contract.operations.filter(({ operationId }) => operationId !== 'login');
  const differences = await loadDifferences();
  const listed = {
    ...(await loadApp('staff-proxy')),
    vendor: people.map(({ operationId, method, path }) => ({
      name: operationId,
      description: `\`${method} ${path}\``,
    })),
    difference: differences.map(({ name, reason }) => ({ name, description: reason })),
  };
  const subjects = ['setting', 'command', 'vendor', ...contract.operations.map(({ operationId }) => operationId)];
  const shared = loadGuarantees(sharedTests, [...subjects, 'rule', everyOperation]);
  const own = loadGuarantees(ownTests, [...subjects, 'rule', everyOperation]);
  const ownGuarantees = spreadGuarantees(own.flatMap(partNames), contract.operations).map((one) =>
    foldIntoDefault(one, contract),
  );
  const guarantees = [
    // These tests do not cover what the proxy adds to the contract.
    ...spreadGuarantees(shared, readContract('scheduling.openapi.json').operations),
    ...ownGuarantees,
    ...loadDifferenceGuarantees(differences),
  ];
  const before = `# Test report: the staff proxy

Which acceptance tests check each setting, command and part of the contract as the proxy serves it
(\`specs/staff/proxy.overlay.yaml\`). Most tests run the proxy in front of a running scheduling API.
[The staff proxy](../staff-proxy.md) describes the server.

## Operations in front of the vendor

${emitGuarantees({ listed, guarantees }, 'vendor')}

## Differences from the scheduling API

The tests of the scheduling API also run through the proxy. The proxy differs in these points and in no other.

${emitDifferences(differences, guarantees)}

## Settings

${emitGuarantees({ listed, guarantees }, 'setting')}

## Commands

${emitGuarantees({ listed, guarantees }, 'command')}`;
  return {
    file: 'staff-proxy.md',
    madeFrom: 'specs/staff, apps/staff-proxy and tools/acceptance/src/{staff,proxy,vendor,faults}',
    ...{ before, contract, contractLines, listed, guarantees, ownGuarantees, reasons },
  };
}

/** Returns a guarantee of each setting in place of one whose test names several. */
function partNames(guarantee: Guarantee): Guarantee[] {
  if (guarantee.subject !== 'setting') return [guarantee];
  const title = titleOf(guarantee);
  return guarantee.name.split(', ').map((name) => ({ ...guarantee, name, title }));
}

/** Counts a status that an operation does not list, such as 502, as a test of `default`. */
function foldIntoDefault(guarantee: Guarantee, { operations }: StaffContract): Guarantee {
  const { subject, name, text } = guarantee;
  const listed = operations.find(({ operationId }) => operationId === subject)?.listed;
  const isUnlisted = /^[45]\d\d$/.test(name) && listed?.some((one) => one.name === name) === false;
  return isUnlisted
    ? { ...guarantee, name: 'default', text: `${name}: ${text}`, title: titleOf(guarantee) }
    : guarantee;
}

/** Reads one of the two documents of the staff contract. */
function readContract(file: string): StaffContract {
  return readOperations(JSON.parse(readFileSync(join(rootFolder, 'specs/staff/gen', file), 'utf8')) as Document);
}
