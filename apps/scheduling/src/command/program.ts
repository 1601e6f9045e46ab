import { randomBytes } from 'node:crypto';
import { createProgram as createProgramOf, runProgram, withDefaultCommand } from '@rostergate/config/command';
import type { Command } from 'commander';
import type { ScryptCost } from '../accounts/password.ts';
import { commands } from './commands.ts';
import type { CommandContext } from './database-command.ts';

/**
 * Builds the program for the given arguments: the named command with all its options, the others with their summary.
 */
export function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = {
    name: 'rostergate-scheduling',
    description: 'The Staff Member API over a database of its own. The default command is serve.',
    version: context.version,
    commands,
    context,
    hint: 'rostergate-scheduling --help lists the commands.',
  };
  return createProgramOf(program, args);
}

/** Runs the command line of a process and sets its exit code. */
export function run(
  process: NodeJS.Process,
  { passwordCost }: { readonly passwordCost?: ScryptCost } = {},
): Promise<void> {
  const { env, stdin } = process;
  const args = withDefaultCommand(process.argv.slice(2));
  return runProgram(process, {
    args,
    packageFile: new URL('../../package.json', import.meta.url),
    createProgram: (world) => createProgram({ ...world, stdin, env, clock: Date.now, randomBytes, passwordCost }, args),
  });
}
