import { createServeCommand as createServeCommandOf } from '@rostergate/config/command';
import type { Command } from 'commander';
import { defaultSettingsFile, findSettingsFile } from '../configuration/settings-file.ts';
import { settingsPrefix, settingsSchema } from '../settings.ts';
import type { CommandContext } from './command-context.ts';

/** `rostergate-staff-proxy serve`. Loads the server after its options are parsed. */
export function createServeCommand({ version, env }: CommandContext): Command {
  return createServeCommandOf({
    description: 'Serves in front of a Staff Member API until SIGTERM or SIGINT, and applies edits of its files.',
    schema: settingsSchema,
    prefix: settingsPrefix,
    file: defaultSettingsFile,
    examples: [
      'rostergate-staff-proxy serve --upstream-url https://scheduling.example.org/v2 --keys-file proxy-keys.json',
      'rostergate-staff-proxy validate && rostergate-staff-proxy serve --host 0.0.0.0',
    ],
    async serve({ settings, args }) {
      const { serve } = await import('../serve.ts');
      await serve({ version, env, args, settingsFile: findSettingsFile({ settings, env }) });
    },
  });
}
