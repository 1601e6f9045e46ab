import { createProgram as createProgramOf } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { commands } from './commands.ts';

/** The program as the words typed need it: the commands that are named have all their options, the others a line. */
export function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = {
    name: 'rostergate-staff-proxy',
    description:
      'Fronts a Staff Member API: callers hold keys, the API sees one well-behaved account. Without a command it serves.',
    version: context.version,
    commands,
    context,
    hint: 'rostergate-staff-proxy --help lists the commands.',
  };
  return createProgramOf(program, args);
}
