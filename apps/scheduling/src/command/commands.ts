import type { CommandEntry } from '@rostergate/config/command';
import type { CommandContext } from './database-command.ts';

/** Every command, in the order of `--help`. */
export const commands: readonly CommandEntry<CommandContext>[] = [
  {
    name: 'serve',
    summary: 'Serve the Staff Member API (the default command)',
    load: async () => (await import('./serve-command.ts')).createServeCommand,
  },
  {
    name: 'accounts',
    summary: 'Add, list, disable and enable accounts, and set passwords',
    load: async () => (await import('./accounts-command.ts')).createAccountsCommand,
  },
  {
    name: 'webhooks',
    summary: 'Add, list, test, rotate and remove webhooks',
    load: async () => (await import('./webhooks-command.ts')).createWebhooksCommand,
  },
  {
    name: 'seed',
    summary: 'Fill the database with invented companies',
    load: async () => (await import('./seed-command.ts')).createSeedCommand,
  },
  {
    name: 'import',
    summary: 'Import the catalogues and people of a company from files',
    load: async () => (await import('./import-command.ts')).createImportCommand,
  },
  {
    name: 'export',
    summary: 'Export the catalogues and people of a company into files',
    load: async () => (await import('./export-command.ts')).createExportCommand,
  },
  {
    name: 'migrate',
    summary: 'Migrate the database to this version',
    load: async () => (await import('./migrate-command.ts')).createMigrateCommand,
  },
  {
    name: 'audit',
    summary: 'Show who changed what',
    load: async () => (await import('./audit-command.ts')).createAuditCommand,
  },
  {
    name: 'backup',
    summary: 'Write a consistent copy of the database while servers run',
    load: async () => (await import('./backup-command.ts')).createBackupCommand,
  },
];
