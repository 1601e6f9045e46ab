import { Command } from 'commander';
import type { z } from 'zod';

/** What was given on the command line, by field in camel case; text, for the settings to read. */
export type GivenOptions = Readonly<Record<string, string | undefined>>;

export interface ServeCommandOptions {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly schema: z.ZodObject;
  /** What environment names begin with. */
  readonly prefix: string;
  /** Runs once the options are read. */
  readonly serve: (options: GivenOptions) => Promise<void>;
}

/** The command that starts a server, with an option for each setting. */
export function createServeCommand({
  name,
  description,
  version,
  schema,
  prefix,
  serve,
}: ServeCommandOptions): Command {
  const command = new Command(name)
    .description(description)
    .version(version)
    .addHelpText('after', `\nEach option may be given as ${prefix}<OPTION> in the environment instead.`);
  for (const [field, { description: text }] of Object.entries(schema.shape)) {
    command.option(`--${field.replaceAll('_', '-')} <value>`, text);
  }
  return command.action(serve);
}
