import { Command } from 'commander';
import { helpOnExitCodes } from './serve-command.ts';

export interface CommandEntry<C> {
  readonly name: string;
  /** A line for the list of commands. */
  readonly summary: string;
  /** Loaded when it is asked for: most commands need little of what the others do. */
  readonly load: () => Promise<(context: C) => Command>;
}

export interface ProgramOptions<C> {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** In the order of `--help`. */
  readonly commands: readonly CommandEntry<C>[];
  /** What every command is given of the world. */
  readonly context: C;
  /** Said after a fault in what was typed. */
  readonly hint: string;
}

/** A program of many commands: those that `loaded` names have all their options, the others a line. */
export async function createProgram<C>(options: ProgramOptions<C>, loaded: readonly string[]): Promise<Command> {
  const { name, description, version, commands, context, hint } = options;
  const program = new Command(name)
    .description(description)
    .usage('<command> [options]')
    .version(version, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .showHelpAfterError(hint)
    .addHelpText('after', helpOnExitCodes())
    .addHelpText('after', `\n${name} help <command> shows the options of one.`);
  for (const { name: command, summary, load } of commands) {
    const made = loaded.includes(command) ? (await load())(context) : new Command(command);
    program.addCommand(made.summary(summary).helpOption('-h, --help', 'Show help'));
  }
  return program;
}
