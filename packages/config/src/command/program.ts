import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { helpOnExitCodes } from './command-failure.ts';
import { runCommand } from './run-command.ts';
import { createProcessTerminal, type Terminal } from './terminal.ts';

export interface CommandEntry<C> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Loads the command on demand: most commands share little code. */
  readonly load: () => Promise<(context: C) => Command>;
}

export interface ProgramOptions<C> {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** In the order of `--help`. */
  readonly commands: readonly CommandEntry<C>[];
  /** The dependencies of every command. */
  readonly context: C;
  /** Appended to every usage error. */
  readonly hint: string;
}

/** Creates a program with subcommands: those in `loaded` have all their options, the others one line of help. */
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
    .addHelpText('after', `\n${name} help <command> shows the options of a command.`);
  for (const { name: command, summary, load } of commands) {
    const made = loaded.includes(command) ? (await load())(context) : new Command(command);
    program.addCommand(made.summary(summary).helpOption('-h, --help', 'Show help'));
  }
  return program;
}

export interface RunProgramOptions {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** The program's package.json. */
  readonly packageFile: URL;
  readonly createProgram: (context: { readonly version: string; readonly terminal: Terminal }) => Promise<Command>;
}

/** Runs a program with subcommands, of which `serve` is one, and sets the exit code of the process. */
export async function runProgram(process: NodeJS.Process, options: RunProgramOptions): Promise<void> {
  const { args, packageFile, createProgram } = options;
  // A server drains on a signal; every other command exits between two synchronous steps.
  if (!args.includes('serve')) {
    for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
      process.on(signal, () => process.exit(code));
  }
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const terminal = createProcessTerminal(process);
  const program = await createProgram({ version, terminal });
  process.exitCode = await runCommand(program, { args: resolveHelp(program, args), terminal });
}

/**
 * Rewrites arguments that ask for help to the form that the parser accepts at any depth: `help keys rotate` and
 * `keys help rotate` become `keys rotate --help`. An unknown name stays last, so that the parser reports it.
 */
export function resolveHelp(program: Command, args: readonly string[]): readonly string[] {
  const path: string[] = [];
  let at = program;
  let wantsHelp = args.includes('--help') || args.includes('-h');
  let hasHelpWord = false;
  for (const word of args) {
    if (at.commands.length === 0 || word.startsWith('-')) break;
    if (word === 'help') {
      wantsHelp = true;
      hasHelpWord = true;
      continue;
    }
    path.push(word);
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) return wantsHelp ? path : args;
    at = next;
  }
  return hasHelpWord ? [...path, '--help'] : args;
}

/** Inserts `serve` when the arguments name no command. */
export function withDefaultCommand(args: readonly string[]): readonly string[] {
  const [first] = args;
  if (first === undefined) return ['serve'];
  return first.startsWith('-') && !programOptions.has(first) ? ['serve', ...args] : args;
}

const programOptions = new Set(['-h', '--help', '-V', '--version']);
