import { helpOnExitCodes } from '@rostergate/runtime/command';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { commands } from './commands.ts';

/** The whole tree of commands, each with its options; for documentation. */
export async function createWholeProgram(context: CommandContext): Promise<Command> {
  return createProgramOf(
    context,
    commands.map(({ name }) => name),
  );
}

/** The program as the words typed need it: the commands that are named have all their options, the others a line. */
export async function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = await createProgramOf(context, args);
  // Without a word, help is what was asked for; it is no error.
  return args.length === 0 ? program.action(() => program.help()) : program;
}

async function createProgramOf(context: CommandContext, loaded: readonly string[]): Promise<Command> {
  const program = new Command('rostergate')
    .description('A configurable endpoint gateway whose contract is always true.')
    .usage('<command> [options]')
    .version(context.version, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .showHelpAfterError('rostergate --help lists the commands; options of the server come after serve.')
    .addHelpText('after', helpOnExitCodes())
    .addHelpText('after', '\nrostergate help <command> shows the options of one.');
  for (const { name, summary, load } of commands) {
    const command = loaded.includes(name) ? (await load())(context) : new Command(name);
    program.addCommand(command.summary(summary).helpOption('-h, --help', 'Show help'));
  }
  return program;
}
