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
import { Command } from 'commander';
import type { OpenStore } from '../store/staff-store.ts';
import { addDatabaseOptions, type CommandContext, pickDatabase, withDatabase } from './database-command.ts';
import { importFolder } from './import-folder.ts';
import { type ImportReport, reportImport, toFaults } from './import-report.ts';
import { requireCompany } from './require-company.ts';

interface Options {
  readonly company: string;
  readonly createTags?: true;
  readonly skipBad?: true;
  readonly dryRun?: true;
  readonly merge?: true;
  readonly replace?: true;
  readonly json?: true;
}

export function createImportCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('import')
    .description(
      'Imports a folder or a file into a company. A folder contains the files that the command export writes, such as tags.csv or tags.json: catalogues, people and everything that belongs to them. Its files are imported in one transaction, all rows or none; a column that a file lacks changes nothing, and an empty cell clears the value. A file contains people: they are added, or updated if their StaffId exists. The first line contains the names of the columns: fields of a person in the contract, in any letter case. StaffId is required; an empty cell changes nothing. The column Tags contains “Category: Name; …” and the column Profiles “Name; …”: both are added to those that a person has. All rows are checked first, and nothing is written if a row is invalid. Rows are written 250 at a time. After an interrupted import, import the file again to write the rest.',
    )
    .argument(
      '<path>',
      'a folder, or a CSV file of people in UTF-8, with commas, semicolons or tabs; - reads the file from stdin',
    )
    .requiredOption('--company <key>', 'the company')
    .option('--merge', 'of a folder: add and change rows, and remove none (the default)')
    .option(
      '--replace',
      'of a folder: also remove the rows that its files lack; catalogues without a file are unchanged',
    )
    .option('--create-tags', 'of a file: create tags that the company lacks')
    .option('--skip-bad', 'of a file: skip invalid rows and write the others')
    .option('--dry-run', 'check everything and write nothing')
    .option('--json', 'print the result as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nServers may run meanwhile. Each changed person gets an audit row under the account "import".' +
        '\n\nExamples:\n  rostergate-scheduling import roster.csv --company my-company --dry-run' +
        '\n  rostergate-scheduling import - --company my-company --create-tags < roster.csv' +
        '\n  rostergate-scheduling import my-company.d --company my-company --replace --dry-run',
    )
    .action(async (file: string, options: Options) => {
      const isFolder = file !== '-' && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
      checkOptions(options, isFolder);
      if (isFolder) {
        const { company, replace = false, dryRun = false, json = false } = options;
        const chosen = { folder: relative('', file) || '.', company, isReplacing: replace, isDryRun: dryRun };
        await withDatabase(context, pickDatabase(options), async (opened) => {
          await requireCompany(opened, company);
          await importFolder(context, opened.store, { ...chosen, wantsJson: json });
        });
        return;
      }
      const name = file === '-' ? 'stdin' : relative('', file) || file;
      const report = await withFile(file, context.stdin, (path) =>
        withDatabase(context, pickDatabase(options), async (opened) => {
          await requireCompany(opened, options.company);
          return importFile(context, opened, { path, name, options });
        }),
      );
      reportImport(terminal, report, options.json === true);
    });
}

function checkOptions({ merge, replace, createTags, skipBad }: Options, isFolder: boolean): void {
  const fail = (detail: string): never => {
    throw new CommandFailure(detail, exitCodes.usage);
  };
  if (merge && replace) fail('--merge and --replace exclude each other. Remove one of them.');
  if (!isFolder && (merge || replace)) fail('--merge and --replace need a folder. The command export writes one.');
  if (isFolder && createTags) fail('--create-tags needs a file. In a folder, tags.csv has the tags to create.');
  if (isFolder && skipBad) fail('--skip-bad needs a file. A folder is imported completely or not at all.');
}

interface FileToImport {
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
  readonly options: Options;
}

async function importFile(
  { terminal, clock }: CommandContext,
  { store }: OpenStore,
  { path, name, options }: FileToImport,
): Promise<ImportReport> {
  const { company, createTags, skipBad, dryRun } = options;
  const { roster } = store;
  const [{ openCsv }, { RosterError }, { checkRoster }, { importRoster }] = await Promise.all([
    import('../roster-import/csv-rows.ts'),
    import('../roster-import/csv-records.ts'),
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
