import type { CommandEntry } from '@rostergate/config/command';
import type { CommandContext } from './command-context.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly CommandEntry<CommandContext>[] = [
  {
    name: 'serve',
    summary: 'Serve in front of a Staff Member API (the default command)',
    load: async () => (await import('./serve-command.ts')).createServeCommand,
  },
  {
    name: 'validate',
    summary: 'Check the configuration and report every fault',
    load: async () => (await import('./validate-command.ts')).createValidateCommand,
  },
  {
    name: 'keys',
    summary: 'Create, list, revoke and rotate keys',
    load: async () => (await import('./keys-command.ts')).createKeysCommand,
  },
];
