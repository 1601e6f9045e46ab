import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadApp } from '../configuration/load-app.ts';
import { specFolder } from '../workspace.ts';
import { type ContractDoc, writeContractDoc } from './contract-report.ts';
import { everyOperation, loadGuarantees, spreadGuarantees } from './guarantees.ts';
import { readOperations } from './read-operations.ts';
import { reasons, statementTests } from './scheduling-statements.ts';
import { emitGuarantees } from './tables.ts';

const testFiles = ['tools/acceptance/src/staff/**/*.test.ts', 'tools/acceptance/src/scheduling/**/*.test.ts'];

/** Writes docs/reports/scheduling.md from the contract, the command line, the settings and the titles of the tests. */
export async function generateSchedulingDoc(): Promise<void> {
  writeContractDoc(await readSchedulingDoc());
}

/** Returns everything that the report names. */
export async function readSchedulingDoc(): Promise<ContractDoc> {
  const contract = readOperations(
    JSON.parse(readFileSync(join(specFolder('staff'), 'gen/scheduling.openapi.json'), 'utf8')),
  );
  const { operations } = contract;
  const listed = await loadApp('scheduling');
  const subjects = [...Object.keys(listed), ...operations.map(({ operationId }) => operationId)];
  const titles = loadGuarantees(testFiles, [...subjects, 'rule', everyOperation]);
  const guarantees = spreadGuarantees(titles, operations);
  const before = `# Test report: the scheduling API

Which acceptance tests check each setting, command and part of the contract (\`specs/staff\`). The tests run on SQLite and on
PostgreSQL, most of them also through the staff proxy. [The scheduling API](../scheduling.md) describes the server.

## Settings

${emitGuarantees({ listed, guarantees }, 'setting')}

## Commands

${emitGuarantees({ listed, guarantees }, 'command')}`;
  return {
    file: 'scheduling.md',
    madeFrom: 'specs/staff, apps/scheduling and tools/acceptance/src/{staff,scheduling}',
    ...{ before, contract, statementTests, listed, guarantees, reasons },
  };
}
