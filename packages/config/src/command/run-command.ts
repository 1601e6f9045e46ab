import { readFileSync } from 'node:fs';
import { ListenError, StrayError, toError } from '@rostergate/server/lifecycle';
import { didYouMean, suggestOption } from '@rostergate/server/problem';
import { type Command, type CommanderError, Help } from 'commander';
import { ConfigError, type ConfigFault } from '../config/config-error.ts';
import { FileLockError } from '../files/index.ts';
import { CommandFailure, describeSystemError, type ExitCode, exitCodes, isSystemError } from './command-failure.ts';
import { countFaults, formatFaults, toFaultJson } from './format-faults.ts';
import type { Terminal } from './terminal.ts';

export interface RunCommandOptions {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  readonly terminal: Terminal;
  /** Returns the text of a file that has faults, for excerpts. */
  readonly readText?: (path: string) => string | undefined;
}

/**
 * Runs a command and resolves with its exit code; never rejects. It reports a failure on stderr, or with `--json` on
 * stdout as `{ "error": … }`.
 */
export async function runCommand(command: Command, options: RunCommandOptions): Promise<ExitCode> {
  const { args, terminal, readText = readIfPresent } = options;
  let usage = '';
  prepare(command, command.name(), terminal, (text) => {
    usage = text;
  });
  try {
    await command.parseAsync([...args], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    const failure = toFailure(error, usage);
    if (failure === undefined) return exitCodes.ok;
    const end = args.indexOf('--');
    const wantsJson = args.slice(0, end < 0 ? args.length : end).includes('--json');
    if (error instanceof CommandFailure && error.isReported) return failure.exitCode;
    if (wantsJson) terminal.out.write(`${JSON.stringify({ error: toJson(failure) }, null, 2)}\n`);
    else if (!failure.isReported) terminal.err.write(toText(failure, command.name(), terminal, readText));
    return failure.exitCode;
  }
}

interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string;
  readonly faults?: readonly ConfigFault[];
  /** The message already lists them. */
  readonly isListed?: boolean;
  /** The parser has already written it. */
  readonly isReported?: boolean;
}

const describeOption = Help.prototype.optionDescription;

/** Makes the parser throw instead of exiting, and write to the terminal. */
function prepare(command: Command, name: string, { out, err }: Terminal, note: (usage: string) => void): void {
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => (Number.isFinite(out.columns) ? out.columns : 120),
      getErrHelpWidth: () => (Number.isFinite(err.columns) ? err.columns : 120),
      getOutHasColors: () => out.style('bold', 'x') !== 'x',
      getErrHasColors: () => err.style('bold', 'x') !== 'x',
      outputError: (text, write) => {
        const usage = `${withoutValue(text.replace(/^error: /, '').trimEnd())}${hintFor(command, text)}`;
        note(usage);
        write(`${err.style('red', name)}: ${usage}\n`);
      },
    });
  command.configureHelp({
    optionDescription: (option) => `${describeOption(option)}${option.mandatory ? ' (required)' : ''}`,
    styleTitle: (text) => out.style('bold', text),
    styleCommandText: (text) => out.style('cyan', text),
    styleOptionTerm: (text) => out.style('cyan', text),
    styleSubcommandTerm: (text) => out.style('cyan', text),
  });
  for (const inner of command.commands) prepare(inner, name, { out, err }, note);
}

/** Suggests a known option or command for an unknown one, or names the help that lists them. */
function hintFor(command: Command, text: string): string {
  const [, kind, given = ''] = /unknown (option|command) '-{0,2}([^'=]*)/.exec(text) ?? [];
  const help = command.createHelp();
  const path = help.commandUsage(command).split(/ [[<]/)[0];
  if (kind === undefined) {
    const isIncomplete = /missing required|argument missing|not specified|too many arguments/.test(text);
    return isIncomplete ? `${text.trimEnd().endsWith('.') ? '' : '.'} ${path} --help shows its usage.` : '';
  }
  const options = command.options.flatMap(({ long }) => long?.slice(2) ?? []);
  const guess =
    kind === 'option'
      ? suggestOption(given, options)
      : didYouMean(
          given,
          help.visibleCommands(command).map((inner) => inner.name()),
        );
  // The program itself appends this hint to every usage error.
  const list = command.parent === null ? '' : ` ${path} --help lists the ${kind}s.`;
  return `.${guess || list}`;
}

/** Removes the value from an unknown option such as `--api_keys=…`: it may be a secret. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option '-[^'=]*)=[^']*'/, "$1'");
}

function toFailure(error: unknown, usage: string): Failure | undefined {
  if (error instanceof CommandFailure) {
    return { exitCode: error.exitCode, message: error.message, faults: error.faults, isListed: true };
  }
  if (error instanceof ConfigError) {
    return { exitCode: exitCodes.invalid, message: error.message, faults: error.faults };
  }
  if (isCommanderError(error)) {
    if (error.exitCode === 0) return undefined;
    return { exitCode: exitCodes.usage, message: usage || error.message, isReported: true };
  }
  if (error instanceof ListenError || error instanceof FileLockError || error instanceof StrayError) {
    return { exitCode: exitCodes.failed, message: error.message };
  }
  if (isSystemError(error)) return { exitCode: exitCodes.failed, message: describeSystemError(error) };
  // A defect: the stack belongs in the bug report.
  return { exitCode: exitCodes.failed, message: String(toError(error).stack) };
}

/** Compares the name: an app may be installed with another copy of commander, whose class differs. */
function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && error.name === 'CommanderError';
}

function toJson({ exitCode, message, faults }: Failure): unknown {
  const [line = ''] = message.split('\n');
  return { exit_code: exitCode, message: line.replace(/:$/, '.'), faults: faults?.map(toFaultJson) ?? [] };
}

function toText(failure: Failure, name: string, { err }: Terminal, readText: (path: string) => string | undefined) {
  const { message, faults, isListed } = failure;
  if (faults === undefined || isListed) return `${err.style('red', name)}: ${message}\n`;
  const head = `${err.style('red', name)}: The configuration has ${countFaults(faults.length)}:`;
  return `${head}\n${formatFaults(faults, { output: err, readText })}`;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
