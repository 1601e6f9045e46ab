import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { helpOnExitCodes } from './command-failure.ts';
import { runCommand } from './run-command.ts';
import { createProcessTerminal, type Terminal } from './terminal.ts';

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

export interface RunProgramOptions {
  /** What was typed after the program's name. */
  readonly args: readonly string[];
  /** Where the program's package.json is. */
  readonly packageFile: URL;
  readonly createProgram: (world: { readonly version: string; readonly terminal: Terminal }) => Promise<Command>;
}

/** Runs a program of many commands, of which `serve` is one, and leaves its exit code with the process. */
export async function runProgram(process: NodeJS.Process, options: RunProgramOptions): Promise<void> {
  const { args, packageFile, createProgram } = options;
  // A server has its own way to stop; anything else ends between two steps, never within one.
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
 * Arguments that ask for help, as the parser understands them at any depth: `help keys rotate` and `keys help rotate`
 * become `keys rotate --help`. A name that is none stays alone, so that the parser says so and suggests another.
 */
export function resolveHelp(program: Command, args: readonly string[]): readonly string[] {
  const path: string[] = [];
  let at = program;
  let isAsked = args.includes('--help') || args.includes('-h');
  let isByWord = false;
  for (const word of args) {
    if (at.commands.length === 0 || word.startsWith('-')) break;
    if (word === 'help') {
      isAsked = true;
      isByWord = true;
      continue;
    }
    path.push(word);
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) return isAsked ? path : args;
    at = next;
  }
  return isByWord ? [...path, '--help'] : args;
}

/** Serving is what most programs are for: where no command is named, the options are those of `serve`. */
export function withDefaultCommand(args: readonly string[]): readonly string[] {
  const [first] = args;
  if (first === undefined) return ['serve'];
  return first.startsWith('-') && !ownOptions.has(first) ? ['serve', ...args] : args;
}

const ownOptions = new Set(['-h', '--help', '-V', '--version']);
