import { addSettingsOptions, CommandFailure, pickSettings } from '@rostergate/config/command';
import { Command } from 'commander';
import { environmentPrefix, requireSettingsFile, settingsSchema } from '../settings-file.ts';
import { type CommandContext, configOption } from './command-context.ts';

/** `rostergate serve`, with an option for each setting. The server is loaded after the options are parsed. */
export function createServeCommand({ version, env }: CommandContext): Command {
  const command = new Command('serve')
    .description('Serves the endpoints of endpoints.json as settings.json says, until SIGTERM or SIGINT.')
    .addOption(configOption())
    .option('--reload', 'restart when code changes, including services; for development')
    .option('--json', 'print faults as JSON; logs are always JSON');
  addSettingsOptions(command, { schema: settingsSchema, prefix: environmentPrefix, file: 'settings.json' });
  return command
    .addHelpText(
      'after',
      `\nEach setting may also be set in settings.json or as ${environmentPrefix}<SETTING> in the environment.` +
        '\nThe command line overrides the environment, which overrides the file.',
    )
    .action(async ({ config, reload, ...given }: { config?: string; reload?: true }) => {
      const args = pickSettings(settingsSchema, given);
      const settingsFile = requireSettingsFile({ config, env, args });
      if (reload) {
        await serveSupervised(settingsFile.path);
        return;
      }
      const { serve } = await import('../serve.ts');
      await serve({ version, settingsFile, env, args });
    });
}

/** Serves from a child process that restarts whenever its code, including the services' code, changes. */
async function serveSupervised(settingsFile: string): Promise<void> {
  const [{ supervise }, { sealEnvironment }] = await Promise.all([
    import('@rostergate/config/reload'),
    import('../sources/read-keys.ts'),
  ]);
  const [, script = '', ...args] = process.argv;
  const code = await supervise({
    script,
    args: args.filter((arg) => arg !== '--reload'),
    env: await sealEnvironment(process.env, settingsFile),
    execArgv: process.execArgv,
    signals: process,
    report: (text) => process.stderr.write(`rostergate: ${text}\n`),
  });
  if (code !== 0) throw new CommandFailure(`The server exited with code ${code}.`);
}
