import { addSettingsOptions, pickSettings } from '@rostergate/runtime/command';
import { Command } from 'commander';
import { requireSettingsFile } from '../settings-file.ts';
import { environmentPrefix, settingsSchema } from '../settings-schema.ts';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';

/** `rostergate serve`: an option for each setting. The server itself is loaded once the options are read. */
export function createServeCommand({ version, env }: CommandContext): Command {
  const command = new Command('serve')
    .description('Serves the endpoints of endpoints.json as settings.json says, until SIGTERM or SIGINT.')
    .addOption(configOption())
    .option('--reload', 'start again when code changes, that of services included: for development')
    .option('--json', 'tell of faults in JSON; what a running server logs is JSON in any case');
  addSettingsOptions(command, { schema: settingsSchema, prefix: environmentPrefix, file: 'settings.json' });
  return command
    .addHelpText(
      'after',
      `\nEach setting may stand in settings.json or be given as ${environmentPrefix}<SETTING> in the environment instead.` +
        '\nThe command line comes before the environment, and the environment before the file.',
    )
    .action(async ({ config, reload, ...given }: { config?: string; reload?: true }) => {
      const args = pickSettings(settingsSchema, given);
      const settingsFile = requireSettingsFile({ config, env, args });
      if (reload) {
        const { serveSupervised } = await import('../reload/serve-supervised.ts');
        await serveSupervised({ process, settingsFile: settingsFile.path });
        return;
      }
      const { serve } = await import('../serve.ts');
      await serve({ version, settingsFile, env, args });
    });
}
