import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadApp } from '../contract-doc/load-app.ts';
import { type Document, readOperations, type StaffContract } from '../contract-doc/read-operations.ts';
import { everyOperation, spreadGuarantees } from '../contract-doc/spread-guarantees.ts';
import { type ContractDoc, writeContractDoc } from '../contract-doc/write-contract-doc.ts';
import { type Guarantee, titleOf } from '../guarantees/collect-guarantees.ts';
import { emitGuarantees } from '../guarantees/emit-guarantees.ts';
import { loadGuarantees } from '../guarantees/load-guarantees.ts';
import { rootFolder } from '../workspace.ts';
import { contractLines } from './contract-lines.ts';
import { emitDifferences, loadDifferenceGuarantees, loadDifferences } from './list-differences.ts';
import { reasons } from './reasons.ts';
import { running } from './running.ts';

/** What holds both servers of the contract to it. */
const sharedTests = ['tools/acceptance/src/staff/**/*.test.ts'];
const ownTests = ['proxy', 'vendor', 'faults'].map((folder) => `tools/acceptance/src/${folder}/**/*.test.ts`);

/** Writes docs/staff-proxy.md from the contract as the proxy serves it and the titles of the acceptance tests. */
export async function generateStaffProxyDoc(): Promise<void> {
  writeContractDoc(await readStaffProxyDoc());
}

/** Everything that the page names. */
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
    // Of what the proxy adds to the contract these tests say nothing.
    ...spreadGuarantees(shared, readContract('scheduling.openapi.json').operations),
    ...ownGuarantees,
    ...loadDifferenceGuarantees(differences),
  ];
  const before = `# The staff proxy

${running.trim()}

${emitGuarantees({ listed, guarantees }, 'vendor')}

## Where it differs from the scheduling API

The tests of the scheduling API run over the proxy too. In this, and in nothing else, they expect something else of it.

${emitDifferences(differences, guarantees)}

## Settings

Of the command line, the environment (\`ROSTERGATE_PROXY_<NAME>\`), \`staff-proxy.json\` and the default the first that has a
value wins.

${emitGuarantees({ listed, guarantees }, 'setting')}

## Commands

${emitGuarantees({ listed, guarantees }, 'command')}`;
  return {
    file: 'staff-proxy.md',
    madeFrom: 'specs/staff, apps/staff-proxy and tools/acceptance/src/{staff,proxy,vendor,faults}',
    before,
    introduction: `Every line of the contract as the proxy serves it (\`specs/staff/proxy.overlay.yaml\`) with the tests that hold the running
proxy to it, most of them in front of a running scheduling API.`,
    ...{ contract, contractLines, listed, guarantees, ownGuarantees, reasons },
  };
}

/** A test of several settings together names them all. */
function partNames(guarantee: Guarantee): Guarantee[] {
  if (guarantee.subject !== 'setting') return [guarantee];
  const title = titleOf(guarantee);
  return guarantee.name.split(', ').map((name) => ({ ...guarantee, name, title }));
}

/** A status that an operation does not list is one of those that `default` stands for, such as 502. */
function foldIntoDefault(guarantee: Guarantee, { operations }: StaffContract): Guarantee {
  const { subject, name, text } = guarantee;
  const listed = operations.find(({ operationId }) => operationId === subject)?.listed;
  const isUnlisted = /^[45]\d\d$/.test(name) && listed?.some((one) => one.name === name) === false;
  return isUnlisted
    ? { ...guarantee, name: 'default', text: `${name}: ${text}`, title: titleOf(guarantee) }
    : guarantee;
}

/** One of the two documents of the staff contract. */
function readContract(file: string): StaffContract {
  return readOperations(JSON.parse(readFileSync(join(rootFolder, 'specs/staff/gen', file), 'utf8')) as Document);
}
