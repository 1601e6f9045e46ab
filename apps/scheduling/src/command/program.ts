import { createProgram as createProgramOf } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { commands } from './commands.ts';

/** The program as the words typed need it: the commands that are named have all their options, the others a line. */
export function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = {
    name: 'rostergate-scheduling',
    description: 'The Staff Member API over a database of its own. Without a command it serves.',
    version: context.version,
    commands,
    context,
    hint: 'rostergate-scheduling --help lists the commands.',
  };
  return createProgramOf(program, args);
}
