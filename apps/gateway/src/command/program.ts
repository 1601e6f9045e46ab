import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import { createProgram as createProgramOf, runProgram } from '@rostergate/runtime/command';
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

/** Runs the command line of a process and leaves its exit code there. */
export async function run(process: NodeJS.Process): Promise<void> {
  const { env } = process;
  const args = process.argv.slice(2);
  // Standard output holds what the command prints; what services print while they load goes beside it.
  if (args[0] !== 'serve') Object.assign(console, new Console(process.stderr));
  await runProgram(process, {
    args,
    packageFile: new URL('../../package.json', import.meta.url),
    createProgram: (world) => createProgram({ ...world, env, clock: Date.now, random: randomBytes }, args),
  });
  // Whatever a service has started while its module was loaded has had its time.
  setTimeout(() => process.exit(), 500).unref();
}
