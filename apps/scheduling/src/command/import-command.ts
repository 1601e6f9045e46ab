import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CommandFailure,
  createProgressBar,
  describeSystemError,
  exitCodes,
  isSystemError,
} from '@rostergate/config/command';
import { didYouMean } from '@rostergate/server/problem';
import { Command } from 'commander';
import type { OpenStore } from '../store/staff-store.ts';
import { addDatabaseOptions, type CommandContext, pickDatabase, withDatabase } from './database-command.ts';
import { type ImportReport, reportImport, toFaults } from './import-report.ts';

interface Options {
  readonly company: string;
  readonly createTags?: true;
  readonly skipBad?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export function createImportCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('import')
    .description(
      'Adds the people of a CSV file to a company, and updates people whose StaffId exists. The first line contains the names of the columns: fields of a person in the contract, in any letter case. StaffId is required; an empty cell changes nothing. The column Tags contains “Category: Name; …” and the column Profiles “Name; …”: both are added to those that a person has. All rows are checked first, and nothing is written if a row is invalid. Rows are written 250 at a time. After an interrupted import, import the file again to write the rest.',
    )
    .argument('<file>', 'the CSV file, in UTF-8, with commas, semicolons or tabs; - reads stdin')
    .requiredOption('--company <key>', 'the company of the people')
    .option('--create-tags', 'create tags that the company lacks')
    .option('--skip-bad', 'skip invalid rows and write the others')
    .option('--dry-run', 'check the file and write nothing')
    .option('--json', 'print the result as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nServers may run meanwhile. Each changed person gets an audit row under the account "import".' +
        '\n\nExamples:\n  rostergate-scheduling import roster.csv --company my-company --dry-run' +
        '\n  rostergate-scheduling import - --company my-company --create-tags < roster.csv',
    )
    .action(async (file: string, options: Options) => {
      const name = file === '-' ? 'stdin' : relative('', file) || file;
      const report = await withFile(file, context.stdin, (path) =>
        withDatabase(context, pickDatabase(options), (opened) => importFile(context, opened, { path, name, options })),
      );
      reportImport(terminal, report, options.json === true);
    });
}

interface FileToImport {
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
  readonly options: Options;
}

async function importFile(
  { terminal, clock }: CommandContext,
  { store, accounts }: OpenStore,
  { path, name, options }: FileToImport,
): Promise<ImportReport> {
  const { company, createTags, skipBad, dryRun } = options;
  const { roster } = store;
  if (!(await roster.hasCompany(company))) {
    const guess = didYouMean(company, await accounts.listCompanies()) || ' To create it, add its first account.';
    throw new CommandFailure(`There is no company ${JSON.stringify(company)}.${guess}`, exitCodes.invalid);
  }
  const [{ openCsv, RosterError }, { checkRoster }, { importRoster }] = await Promise.all([
    import('../roster-import/csv-rows.ts'),
    import('../roster-import/check-roster.ts'),
    import('../roster-import/import-roster.ts'),
  ]);
  const requestId = randomUUID();
  const scope = { companyKey: company, isAdmin: true, account: 'import', requestId, operation: 'import' };
  const bars = { output: terminal.err, clock };
  const checking = createProgressBar({ ...bars, text: `Checking ${name}`, unit: 'kB' });
  const importing = createProgressBar({ ...bars, text: `Importing ${name}`, unit: 'people' });
  try {
    const all = Math.ceil(statSync(path).size / 1_024);
    const csv = await openCsv(path);
    const checked = await checkRoster({
      ...{ file: csv, roster, scope, createsTags: createTags === true },
      onProgress: (bytes) => checking.show(Math.ceil(bytes / 1_024), all),
    });
    checking.clear();
    const { rows, badLines, newPeople, newTags, faults } = checked;
    const good = rows - badLines.size;
    const common = { name, company, requestId, rows, bad: badLines.size, faults, ignored: checked.header.ignored };
    if (dryRun || (badLines.size > 0 && !skipBad)) {
      const planned = { added: newPeople, changed: good - newPeople, same: 0, newTags };
      return {
        ...common,
        ...planned,
        isWritten: false,
        isDryRun: dryRun === true,
        isRejected: badLines.size > 0 && !skipBad,
        isPartial: false,
      };
    }
    let written = 0;
    const onProgress = (done: number) => {
      written = done;
      importing.show(done, good);
    };
    const counts = await importRoster({ file: csv, roster, scope, checked, onProgress, wait }).catch((error) => {
      importing.clear();
      terminal.err.write(`Wrote ${written} of ${good} rows. Import the file again to write the rest.\n`);
      throw error;
    });
    const late = { isPartial: counts.faults.length > 0, faults: [...faults, ...counts.faults] };
    return { ...common, ...counts, ...late, newTags, isWritten: true, isDryRun: false, isRejected: false };
  } catch (error) {
    if (isSystemError(error)) throw new CommandFailure(describeSystemError(error), exitCodes.invalid, { cause: error });
    if (!(error instanceof RosterError)) throw error;
    const faults = toFaults(name, error.faults);
    const lines = faults.map(({ where, field, detail }) => `  ${where}  ${field === '' ? '' : `${field}: `}${detail}`);
    throw new CommandFailure(`${name} cannot be imported:\n${lines.join('\n')}`, exitCodes.invalid, { faults });
  } finally {
    checking.clear();
    importing.clear();
  }
}

/** Calls `work` with the named file; for `-` with a temporary copy of stdin. */
async function withFile<T>(
  named: string,
  stdin: NodeJS.ReadableStream,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (named !== '-') return work(named);
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-stdin-'));
  // The copy contains personal data, so it is removed however the process ends.
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    const path = join(folder, 'stdin');
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    clean();
    process.off('exit', clean);
  }
}
