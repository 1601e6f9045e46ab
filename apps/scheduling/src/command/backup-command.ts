import { createProgressBar } from '@rostergate/config/command';
import { Command } from 'commander';
import type { BackupReport } from '../backup/backup.ts';
import {
  addDatabaseOptions,
  type CommandContext,
  loadDatabaseSettings,
  pickDatabase,
  reportDatabaseErrors,
  requireDatabase,
} from './database-command.ts';

interface Options {
  readonly force?: true;
  readonly json?: true;
}

export function createBackupCommand(context: CommandContext): Command {
  const { terminal, env, clock, randomBytes } = context;
  const command = new Command('backup')
    .description(
      'Writes a consistent copy of the database and checks it; servers may run and write meanwhile. The copy of SQLite is a database file, the copy of PostgreSQL an archive of pg_dump in the custom format.',
    )
    .argument('<file>', 'the file to write')
    .option('--force', 'replace an existing file')
    .option('--json', 'print what was written as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nTo restore, stop the server, then\n  SQLite      replace the database with the file, and remove <database>-wal and <database>-shm' +
        '\n  PostgreSQL  createdb staff && pg_restore --no-owner --dbname staff <file>' +
        '\n\nExamples:\n  rostergate-scheduling backup staff-monday.sqlite' +
        '\n  rostergate-scheduling backup /backups/staff.sqlite --force --json',
    )
    .action(async (file: string, { force, json, ...rest }: Options) => {
      const settings = loadDatabaseSettings(context, pickDatabase(rest));
      requireDatabase(settings);
      const bar = createProgressBar({ output: terminal.err, text: 'Copying', unit: 'pages', clock });
      const report = await reportDatabaseErrors(settings, async () => {
        const { backUp } = await import('../backup/backup.ts');
        return backUp(settings, { file, isReplacing: force === true, env, randomBytes, onProgress: bar.show });
      }).finally(bar.clear);
      if (json) terminal.out.write(`${JSON.stringify(toJson(report), null, 2)}\n`);
      else terminal.out.write(`${describe(report)}\n`);
    });
}

function describe({ file, bytes, counts }: BackupReport): string {
  const contents = Object.entries(counts).map(
    ([name, n]) => `${n.toLocaleString('en-US')} ${name.replaceAll('_', ' ')}`,
  );
  return `Wrote and checked ${file}: ${(bytes / 1_048_576).toFixed(1)} MiB; ${contents.join(', ')}.`;
}

function toJson({ file, bytes, counts }: BackupReport) {
  return { file, bytes, ...counts };
}
