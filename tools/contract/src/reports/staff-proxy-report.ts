import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadApp } from '../configuration/load-app.ts';
import { rootFolder } from '../workspace.ts';
import { type ContractDoc, writeContractDoc } from './contract-report.ts';
import { everyOperation, type Guarantee, loadGuarantees, spreadGuarantees, titleOf } from './guarantees.ts';
import { readOperations, type StaffContract } from './read-operations.ts';
import { reasons, statementTests } from './staff-proxy-statements.ts';
import { emitGuarantees, emitLinks, escapeCell } from './tables.ts';

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
    ...{ before, contract, statementTests, listed, guarantees, ownGuarantees, reasons },
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
  return readOperations(JSON.parse(readFileSync(join(rootFolder, 'specs/staff/gen', file), 'utf8')));
}

/** A response of the proxy that differs from that of the scheduling API. */
interface ListedDifference {
  readonly name: string;
  readonly request: string;
  readonly scheduling: string;
  readonly 'staff-proxy': string;
  readonly reason: string;
}

const folder = 'tools/acceptance/src/staff';

/** Loads the list of differences that the tests of both servers use. */
async function loadDifferences(): Promise<readonly ListedDifference[]> {
  const { proxyDifferences }: { proxyDifferences: Readonly<Record<string, Omit<ListedDifference, 'name'>>> } =
    await import(join(rootFolder, folder, 'proxy-differences.ts'));
  return Object.entries(proxyDifferences).map(([name, difference]) => ({ name, ...difference }));
}

/** Returns a guarantee of each difference from the tests that cover all of them. */
function loadDifferenceGuarantees(differences: readonly ListedDifference[]): Guarantee[] {
  return loadGuarantees([`${folder}/proxy-differences.test.ts`], ['difference']).flatMap(({ subject, text, file }) =>
    differences.map(({ name }) => ({ subject, name, text, file })),
  );
}

function emitDifferences(differences: readonly ListedDifference[], guarantees: readonly Guarantee[]): string {
  const rows = differences.map(({ name, request, scheduling, 'staff-proxy': proxy, reason }) => {
    const tests = guarantees.filter((guarantee) => guarantee.subject === 'difference' && guarantee.name === name);
    return `| ${name} | ${escapeCell(request)} | ${scheduling} | ${proxy} | ${escapeCell(reason)} | ${emitLinks(tests)} |`;
  });
  const head = ['| difference | request | scheduling API | staff proxy | why | tests |', '|---|---|---|---|---|---|'];
  return [...head, ...rows].join('\n');
}
