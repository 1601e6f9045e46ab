import type { CommandEntry } from '@rostergate/config/command';
import type { CommandContext } from './command-context.ts';

/** Every command, in the order of `--help`. */
export const commands: readonly CommandEntry<CommandContext>[] = [
  {
    name: 'serve',
    summary: 'Serve the configured endpoints',
    load: async () => (await import('./serve-command.ts')).createServeCommand,
  },
  {
    name: 'init',
    summary: 'Write a working configuration with a fresh key',
    load: async () => (await import('./init-command.ts')).createInitCommand,
  },
  {
    name: 'validate',
    summary: 'Check the configuration as serve does',
    load: async () => (await import('./validate-command.ts')).createValidateCommand,
  },
  {
    name: 'routes',
    summary: 'List the served routes',
    load: async () => (await import('./routes-command.ts')).createRoutesCommand,
  },
  {
    name: 'keys',
    summary: 'Create, list, revoke and rotate keys',
    load: async () => (await import('./keys-command.ts')).createKeysCommand,
  },
  {
    name: 'usage',
    summary: 'Show how many requests each key has made',
    load: async () => (await import('./usage-command.ts')).createUsageCommand,
  },
  {
    name: 'import',
    summary: 'Create endpoints from an OpenAPI document',
    load: async () => (await import('./import-command.ts')).createImportCommand,
  },
  {
    name: 'spec',
    summary: 'Write the served OpenAPI document',
    load: async () => (await import('./spec-command.ts')).createSpecCommand,
  },
  {
    name: 'diff',
    summary: 'List the changes that callers notice between two configurations',
    load: async () => (await import('./diff-command.ts')).createDiffCommand,
  },
];
