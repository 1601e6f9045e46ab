import { type Column, CommandFailure, exitCodes, formatTable } from '@rostergate/config/command';
import { Command } from 'commander';
import { inspectMigrations } from '../store/open-store.ts';
import {
  addDatabaseOptions,
  type CommandContext,
  loadDatabaseSettings,
  pickDatabase,
  reportDatabaseErrors,
  withOpenDatabase,
} from './database-command.ts';

interface Options {
  readonly check?: true;
  readonly json?: true;
}

export function createMigrateCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('migrate')
    .description(
      'Migrates the database to this version, as the server and every other command do when they open it. A missing SQLite file is created. Several processes may run it at once: each migration runs in one of them.',
    )
    .option('--check', 'change nothing; exit with 1 if migrations are pending')
    .option('--json', 'print the migrations as JSON');
  return addDatabaseOptions(command).action(async ({ check, json, ...rest }: Options) => {
    const settings = loadDatabaseSettings(context, pickDatabase(rest));
    const ran = check ? [] : await withOpenDatabase(context, settings, async ({ migrated }) => migrated);
    const found = await reportDatabaseErrors(settings, () => inspectMigrations(settings));
    const rows = found.map(({ name, appliedAt }) => {
      const applied = ran.includes(name) ? 'applied now' : 'applied before';
      return { name, state: appliedAt === null ? 'pending' : applied, applied_at: appliedAt };
    });
    if (json) terminal.out.write(`${JSON.stringify(rows, null, 2)}\n`);
    else {
      const cells = rows.map(({ name, state, applied_at: at }) => [
        name,
        state,
        at?.slice(0, 16).replace('T', ' ') ?? '–',
      ]);
      terminal.out.write(formatTable(columns, cells, terminal.out));
    }
    if (rows.every(({ state }) => state !== 'pending')) return;
    if (!json) terminal.err.write('Run rostergate-scheduling migrate, or start the server.\n');
    throw new CommandFailure('Migrations are pending.', exitCodes.invalid, { isReported: true });
  });
}

const columns: readonly Column[] = [
  { title: 'MIGRATION' },
  { title: 'STATE', style: (state) => (state === 'pending' ? 'yellow' : state === 'applied now' ? 'green' : 'dim') },
  { title: 'WHEN' },
];
