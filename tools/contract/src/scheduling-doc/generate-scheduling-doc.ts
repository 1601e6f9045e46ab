import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadApp } from '../contract-doc/load-app.ts';
import { type Document, readOperations } from '../contract-doc/read-operations.ts';
import { everyOperation, spreadGuarantees } from '../contract-doc/spread-guarantees.ts';
import { type ContractDoc, writeContractDoc } from '../contract-doc/write-contract-doc.ts';
import { emitGuarantees } from '../guarantees/emit-guarantees.ts';
import { loadGuarantees } from '../guarantees/load-guarantees.ts';
import { specFolder } from '../workspace.ts';
import { contractLines } from './contract-lines.ts';
import { reasons } from './reasons.ts';
import { running } from './running.ts';

const testFiles = ['tools/acceptance/src/staff/**/*.test.ts', 'tools/acceptance/src/scheduling/**/*.test.ts'];

/** Writes docs/scheduling.md from the contract, the command line, the settings and the titles of the acceptance tests. */
export async function generateSchedulingDoc(): Promise<void> {
  writeContractDoc(await readSchedulingDoc());
}

/** Everything that the page names. */
export async function readSchedulingDoc(): Promise<ContractDoc> {
  const contract = readOperations(
    JSON.parse(readFileSync(join(specFolder('staff'), 'gen/scheduling.openapi.json'), 'utf8')) as Document,
  );
  const { operations } = contract;
  const listed = await loadApp('scheduling');
  const subjects = [...Object.keys(listed), ...operations.map(({ operationId }) => operationId)];
  const titles = loadGuarantees(testFiles, [...subjects, 'rule', everyOperation]);
  const guarantees = spreadGuarantees(titles, operations);
  const before = `# The scheduling API

${running.trim()}

## Settings

Of the command line, the environment (\`ROSTERGATE_SCHEDULING_<NAME>\`), \`scheduling.json\` and the default the first that has
a value wins.

${emitGuarantees({ listed, guarantees }, 'setting')}

## Commands

${emitGuarantees({ listed, guarantees }, 'command')}`;
  return {
    file: 'scheduling.md',
    madeFrom: 'specs/staff, apps/scheduling and tools/acceptance/src/{staff,scheduling}',
    before,
    introduction: `Every line of the contract (\`specs/staff\`) with the tests that hold the running server to it. What a line says of one
operation stands with that operation. The tests run on SQLite and on PostgreSQL, most of them also through the staff proxy.`,
    ...{ contract, contractLines, listed, guarantees, reasons },
  };
}
