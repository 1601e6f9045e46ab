import { randomBytes } from 'node:crypto';
import { createProgram as createProgramOf, runProgram, withDefaultCommand } from '@rostergate/config/command';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { commands } from './commands.ts';

/** Runs the command line of a process and sets its exit code. */
export function run(process: NodeJS.Process): Promise<void> {
  const { env } = process;
  const args = withDefaultCommand(process.argv.slice(2));
  return runProgram(process, {
    args,
    packageFile: new URL('../../package.json', import.meta.url),
    createProgram: (world) => createProgram({ ...world, env, clock: Date.now, randomBytes }, args),
  });
}

/** Returns the program; only the commands that `args` name are loaded with their options. */
export function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = {
    name: 'rostergate-staff-proxy',
    description:
      'Fronts a Staff Member API: callers use keys, and the API sees one well-behaved account. Without a command it serves.',
    version: context.version,
    commands,
    context,
    hint: 'rostergate-staff-proxy --help lists the commands.',
  };
  return createProgramOf(program, args);
}
