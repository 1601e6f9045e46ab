import { createProgram as createProgramOf } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { commands } from './commands.ts';

/** The whole tree of commands, each with its options; for documentation. */
export async function createWholeProgram(context: CommandContext): Promise<Command> {
  return createLoaded(
    context,
    commands.map(({ name }) => name),
  );
}

/** The program as the words typed need it: the commands that are named have all their options, the others a line. */
export async function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = await createLoaded(context, args);
  // Without a word, help is what was asked for; it is no error.
  return args.length === 0 ? program.action(() => program.help()) : program;
}

function createLoaded(context: CommandContext, loaded: readonly string[]): Promise<Command> {
  const program = {
    name: 'rostergate',
    description: 'A configurable endpoint gateway whose contract is always true.',
    version: context.version,
    commands,
    context,
    hint: 'rostergate --help lists the commands; options of the server come after serve.',
  };
  return createProgramOf(program, loaded);
}
