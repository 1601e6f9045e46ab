import { createProgram as createProgramOf } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { commands } from './commands.ts';

/** The program as the words typed need it: the commands that are named have all their options, the others a line. */
export async function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const options = {
    name: 'rostergate',
    description: 'A configurable endpoint gateway whose contract is always true.',
    version: context.version,
    commands,
    context,
    hint: 'rostergate --help lists the commands; options of the server come after serve.',
  };
  const program = await createProgramOf(options, args);
  // Without a word, help is what was asked for; it is no error.
  return args.length === 0 ? program.action(() => program.help()) : program;
}
