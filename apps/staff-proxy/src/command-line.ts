import { Command } from 'commander';
import { settingsPrefix, settingsSchema } from './settings.ts';

/** What was given on the command line, by field in camel case; text, for the settings to read. */
export type GivenOptions = Readonly<Record<string, string | undefined>>;

/** The command, with an option for each setting; `serve` runs once the options are read. */
export function createCommand(version: string, serve: (options: GivenOptions) => Promise<void>): Command {
  const command = new Command('rostergate-staff-proxy')
    .description('Fronts a Staff Member API: callers hold keys, the API sees one well-behaved account.')
    .version(version)
    .addHelpText('after', `\nEach option may be given as ${settingsPrefix}<OPTION> in the environment instead.`);
  for (const [field, schema] of Object.entries(settingsSchema.shape)) {
    command.option(`--${field.replaceAll('_', '-')} <value>`, schema.description);
  }
  return command.action(serve);
}
