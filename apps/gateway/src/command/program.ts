import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import { createProgram as createProgramOf, runProgram } from '@rostergate/config/command';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { commands } from './commands.ts';

/** Returns the program for the given arguments: the named commands have their options, the others only a summary. */
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
  // Without arguments, printing help is not an error.
  return args.length === 0 ? program.action(() => program.help()) : program;
}

/** Runs the command line of a process and sets its exit code. */
export async function run(process: NodeJS.Process): Promise<void> {
  const { env } = process;
  const args = process.argv.slice(2);
  // Standard output is for the command: output of services that load goes to standard error.
  if (args[0] !== 'serve') Object.assign(console, new Console(process.stderr));
  await runProgram(process, {
    args,
    packageFile: new URL('../../package.json', import.meta.url),
    createProgram: (world) => createProgram({ ...world, env, clock: Date.now, random: randomBytes }, args),
  });
  // Work that services started while loading must not keep the process alive.
  setTimeout(() => process.exit(), 500).unref();
}
