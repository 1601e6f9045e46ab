import { addSettingsOptions, pickSettings } from '@rostergate/runtime/command';
import { Command } from 'commander';
import { defaultSettingsFile } from '../load-settings.ts';
import { settingsPrefix, settingsSchema } from '../settings.ts';
import type { CommandContext } from './command-context.ts';
import { settingsOption } from './database-options.ts';

/** `rostergate-scheduling serve`: an option for each setting. The server itself is loaded once the options are read. */
export function createServeCommand({ version, env }: CommandContext): Command {
  const command = new Command('serve')
    .description('Serves the Staff Member API over its database, until SIGTERM or SIGINT.')
    .addOption(settingsOption())
    .option('--json', 'tell of faults in JSON; what a running server logs is JSON in any case');
  addSettingsOptions(command, { schema: settingsSchema, prefix: settingsPrefix, file: defaultSettingsFile });
  return command
    .addHelpText(
      'after',
      `\nEach setting may stand in ${defaultSettingsFile} or be given as ${settingsPrefix}<SETTING> in the environment instead.` +
        '\nThe command line comes before the environment, and the environment before the file.' +
        '\n\nExamples:\n  rostergate-scheduling serve --database-file staff.sqlite --seed demo' +
        '\n  DATABASE_URL=postgres://rostergate@db/staff rostergate-scheduling serve --host 0.0.0.0',
    )
    .action(async ({ settings: settingsFile, ...given }: { settings?: string }) => {
      const { serve } = await import('../serve.ts');
      await serve({ version, env, settingsFile, args: pickSettings(settingsSchema, given) });
    });
}
