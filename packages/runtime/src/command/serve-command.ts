import { Command, Option } from 'commander';
import type { z } from 'zod';
import { exitCodeMeanings } from './exit-codes.ts';
import { addSettingsOptions, type GivenOptions, pickSettings } from './settings-options.ts';

export interface ServeCommandOptions {
  readonly description: string;
  readonly schema: z.ZodObject;
  /** What environment names begin with. */
  readonly prefix: string;
  /** The file of settings that is read when it is there. */
  readonly file: string;
  /** Command lines that show how it is used. */
  readonly examples: readonly string[];
  /** Runs once the options are read, with the file that `--settings` names. */
  readonly serve: (options: { readonly settings?: string | undefined; readonly args: GivenOptions }) => Promise<void>;
}

/** The command `serve` of a program with a file of settings: an option for each of them. */
export function createServeCommand(options: ServeCommandOptions): Command {
  const { description, schema, prefix, file, examples, serve } = options;
  const command = new Command('serve')
    .description(description)
    .addOption(createSettingsFileOption(file))
    .option('--json', 'tell of faults in JSON; what a running server logs is JSON in any case');
  addSettingsOptions(command, { schema, prefix, file });
  return command
    .addHelpText(
      'after',
      `\nEach setting may stand in ${file} or be given as ${prefix}<SETTING> in the environment instead.` +
        '\nThe command line comes before the environment, and the environment before the file.' +
        `\n\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`,
    )
    .action(({ settings, ...given }: { readonly settings?: string }) =>
      serve({ settings, args: pickSettings(schema, given) }),
    );
}

/** `--settings`, the same for every command of a program. */
export function createSettingsFileOption(file: string): Option {
  return new Option('--settings <file>', `file of settings (default: ${file}, when it is here)`);
}

/** The lines below `--help` that tell scripts what to expect. */
export function helpOnExitCodes(): string {
  const lines = exitCodeMeanings.map(([code, meaning]) => `  ${code.padEnd(9)}${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}
