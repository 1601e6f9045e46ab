import { randomUUID } from 'node:crypto';
import type { ConfigFault } from '@rostergate/config';
import {
  CommandFailure,
  createProgressBar,
  exitCodes,
  formatFaults,
  formatTable,
  type Terminal,
  toFaultJson,
} from '@rostergate/config/command';
import type { CompanyImport } from '../company-files/import-company.ts';
import type { PlacedFault } from '../company-files/import-context.ts';
import type { StaffStore } from '../store/staff-store.ts';
import type { CommandContext } from './database-command.ts';

export interface FolderImport {
  readonly folder: string;
  readonly company: string;
  readonly isReplacing: boolean;
  readonly isDryRun: boolean;
  readonly wantsJson: boolean;
}

/** Faults that are listed; the others are counted. */
const faultsMax = 100;

/**
 * Imports the files of a folder and prints the result.
 * @throws CommandFailure for a folder without files, and, without a message of its own, for invalid rows
 */
export async function importFolder(
  { terminal, clock }: CommandContext,
  store: StaffStore,
  options: FolderImport,
): Promise<void> {
  const { folder, company, isReplacing, isDryRun } = options;
  const { CompanyFolderError, findCompanyFiles } = await import('../company-files/find-company-files.ts');
  const files = await findCompanyFiles(folder).catch((error: unknown) => {
    if (error instanceof CompanyFolderError) throw new CommandFailure(error.message, exitCodes.invalid);
    throw error;
  });
  const requestId = randomUUID();
  const scope = { companyKey: company, isAdmin: true, account: 'import', requestId, operation: 'import' };
  const text = `${isDryRun ? 'Checking' : 'Importing'} ${folder}`;
  const bar = createProgressBar({ output: terminal.err, clock, text, unit: 'files' });
  const onProgress = (done: number) => bar.show(done, files.length);
  const outcome = await store
    .importCompany({ scope, files, isReplacing, isDryRun, faultsMax, onProgress })
    .finally(bar.clear);
  report(terminal, outcome, { ...options, requestId });
}

function report(
  { out, err }: Terminal,
  { files, faults, faultCount, isWritten }: CompanyImport,
  { company, requestId, isReplacing, isDryRun, wantsJson }: FolderImport & { readonly requestId: string },
): void {
  const found = faults.map(toFault);
  const more = faultCount - found.length;
  if (wantsJson) {
    const result = {
      ...{ company_key: company, request_id: isWritten ? requestId : null, is_written: isWritten },
      ...{ is_dry_run: isDryRun, mode: isReplacing ? 'replace' : 'merge', files },
      ...{ faults: found.map(toFaultJson), more_faults: more },
    };
    out.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    if (found.length > 0) {
      err.write(`${faultCount === 1 ? 'A value or row is' : `${number(faultCount)} values or rows are`} invalid:\n`);
      err.write(formatFaults(found, { output: err, readText: () => undefined }));
      if (more > 0) err.write(`${number(more)} more are not listed.\n`);
    }
    const rows = files.map(({ file, ...counts }) => [file, ...countNames.map((name) => number(counts[name]))]);
    const columns = countNames.map((name) => ({ title: titles[name], align: 'right' as const }));
    if (faultCount === 0) out.write(formatTable([{ title: 'file', isWhole: true }, ...columns], rows, out));
    err.write(
      isWritten
        ? `Imported for ${company}. Request id in the audit: ${requestId}\n`
        : `Nothing was written.${faultCount > 0 ? ' Correct the rows and import the folder again.' : ''}\n`,
    );
  }
  if (faultCount > 0) throw new CommandFailure('Rows are invalid.', exitCodes.invalid, { isReported: true });
}

const countNames = ['rows', 'added', 'changed', 'same', 'removed'] as const;
const titles = { rows: 'rows', added: 'added', changed: 'changed', same: 'unchanged', removed: 'removed' };

/** Rows of a CSV file have a line and a column, entries of a JSON file a number. */
function toFault({ file, isJson, line, column, name, detail }: PlacedFault): ConfigFault {
  if (line === 0) return { where: file, field: name, detail, place: { file, line: 1, column: 1 } };
  const place = isJson ? `${file}, entry ${line}` : `${file}:${line}`;
  const where = column === undefined ? place : `${place}, column ${column}`;
  return { where, field: name, detail, place: { file, line, column: column ?? 1 } };
}

const number = (n: number) => n.toLocaleString('en-US');
