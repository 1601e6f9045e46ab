import { addSettingsOptions, pickSettings } from '@rostergate/runtime/command';
import { Command } from 'commander';
import { settingsPrefix, settingsSchema } from '../settings.ts';
import { defaultSettingsFile, findSettingsFile } from '../settings-file.ts';
import type { CommandContext } from './command-context.ts';
import { settingsOption } from './settings-option.ts';

/** `rostergate-staff-proxy serve`: an option for each setting. The server itself is loaded once the options are read. */
export function createServeCommand({ version, env }: CommandContext): Command {
  const command = new Command('serve')
    .description('Serves in front of a Staff Member API until SIGTERM or SIGINT, and takes up edits of its files.')
    .addOption(settingsOption())
    .option('--json', 'tell of faults in JSON; what a running server logs is JSON in any case');
  addSettingsOptions(command, { schema: settingsSchema, prefix: settingsPrefix, file: defaultSettingsFile });
  return command
    .addHelpText(
      'after',
      `\nEach setting may stand in ${defaultSettingsFile} or be given as ${settingsPrefix}<SETTING> in the environment instead.` +
        '\nThe command line comes before the environment, and the environment before the file.' +
        '\n\nExamples:\n  rostergate-staff-proxy serve --upstream-url https://scheduling.example.org/v2 --keys-file proxy-keys.json' +
        '\n  rostergate-staff-proxy validate && rostergate-staff-proxy serve --host 0.0.0.0',
    )
    .action(async ({ settings, ...given }: { settings?: string }) => {
      const settingsFile = findSettingsFile({ settings, env });
      const { serve } = await import('../serve.ts');
      await serve({ version, env, settingsFile, args: pickSettings(settingsSchema, given) });
    });
}
