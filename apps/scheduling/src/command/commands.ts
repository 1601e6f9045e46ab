import type { CommandEntry } from '@rostergate/runtime/command';
import type { CommandContext } from './database-command.ts';

/** Every command, in the order of `--help`. */
export const commands: readonly CommandEntry<CommandContext>[] = [
  {
    name: 'serve',
    summary: 'Serve the Staff Member API (what is done without a command)',
    load: async () => (await import('./serve-command.ts')).createServeCommand,
  },
  {
    name: 'accounts',
    summary: 'Add, list, disable and enable accounts, and set passwords',
    load: async () => (await import('./accounts-command.ts')).createAccountsCommand,
  },
  {
    name: 'seed',
    summary: 'Fill the database with made-up companies',
    load: async () => (await import('./seed-command.ts')).createSeedCommand,
  },
  {
    name: 'import',
    summary: 'Add and change people by a CSV file',
    load: async () => (await import('./import-command.ts')).createImportCommand,
  },
  {
    name: 'migrate',
    summary: 'Bring the database to the shape of this version',
    load: async () => (await import('./migrate-command.ts')).createMigrateCommand,
  },
  {
    name: 'audit',
    summary: 'Show who changed what',
    load: async () => (await import('./audit-command.ts')).createAuditCommand,
  },
  {
    name: 'backup',
    summary: 'Write a consistent copy of the database, also while it is served',
    load: async () => (await import('./backup-command.ts')).createBackupCommand,
  },
];
