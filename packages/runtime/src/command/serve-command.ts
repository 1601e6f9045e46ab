import { Command } from 'commander';
import type { z } from 'zod';
import { exitCodeMeanings } from './exit-codes.ts';
import { addSettingsOptions, type GivenOptions, pickSettings } from './settings-options.ts';

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

/** The command of a program that does nothing but serve, with an option for each setting. */
export function createServeCommand(options: ServeCommandOptions): Command {
  const { name, description, version, schema, prefix, serve } = options;
  const command = new Command(name).description(description).version(version);
  addSettingsOptions(command, { schema, prefix });
  return command
    .addHelpText('after', `\nEach setting may be given as ${prefix}<SETTING> in the environment instead.`)
    .addHelpText('after', helpOnExitCodes())
    .action((given: Readonly<Record<string, unknown>>) => serve(pickSettings(schema, given)));
}

/** The lines below `--help` that tell scripts what to expect. */
export function helpOnExitCodes(): string {
  const lines = exitCodeMeanings.map(([code, meaning]) => `  ${code.padEnd(9)}${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}
