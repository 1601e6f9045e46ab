import { createServeCommand as createServeCommandOf } from '@rostergate/config/command';
import type { Command } from 'commander';
import { defaultSettingsFile, settingsPrefix, settingsSchema } from '../settings.ts';
import type { CommandContext } from './database-command.ts';

/** `rostergate-scheduling serve`. Loads the server only after the options are parsed. */
export function createServeCommand({ version, env, passwordCost }: CommandContext): Command {
  return createServeCommandOf({
    description: 'Serves the Staff Member API until SIGTERM or SIGINT.',
    schema: settingsSchema,
    prefix: settingsPrefix,
    file: defaultSettingsFile,
    examples: [
      'rostergate-scheduling serve --database-file staff.sqlite --seed demo',
      'rostergate-scheduling serve --form vendor --database-file staff.sqlite',
      'DATABASE_URL=postgres://rostergate@db/staff rostergate-scheduling serve --host 0.0.0.0',
    ],
    async serve({ settings: settingsFile, args }) {
      const { serve } = await import('../serve.ts');
      await serve({ version, env, settingsFile, args, passwordCost });
    },
  });
}
