import type { ConfigFault } from '../config/config-error.ts';

export interface CommandFailureOptions extends ErrorOptions {
  /** The command has said all there is to say. */
  readonly isTold?: boolean;
  /** What the message lists, one by one, for programs. */
  readonly faults?: readonly ConfigFault[];
}

/** Why a command ends early: one line for people, without a stack, and the exit code for scripts. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  readonly isTold: boolean;
  readonly faults: readonly ConfigFault[];

  constructor(
    message: string,
    exitCode: ExitCode = exitCodes.faulty,
    { isTold = false, faults = [], ...options }: CommandFailureOptions = {},
  ) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.isTold = isTold;
    this.faults = faults;
  }
}

/** How a command ended, for the scripts that called it. */
export const exitCodes = Object.freeze({ good: 0, faulty: 1, usage: 2, failed: 3 });

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What each exit code says: shown below `--help` and in the documentation. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = Object.freeze([
  ['0', 'All is well.'],
  ['1', 'The configuration, or what else was given, has faults; each is named.'],
  ['2', 'The command was not understood: no such command or option, or something is missing.'],
  ['3', 'Something else is in the way: a port is taken, a file cannot be read or written.'],
  ['130, 143', 'Interrupted (SIGINT, SIGTERM). No file is left half-written. A server that drained ends with 0.'],
]);

/** The lines below `--help` that tell scripts what to expect. */
export function helpOnExitCodes(): string {
  const lines = exitCodeMeanings.map(([code, meaning]) => `  ${code.padEnd(9)}${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}

/** What a file's error says to people: the file, and what is in the way. */
export function describeSystemError(error: NodeJS.ErrnoException): string {
  const { code = 'unknown', path, syscall } = error;
  const remedy = code in remedies ? remedies[code] : `(${syscall}, ${code})`;
  return path === undefined ? error.message : `${path}: ${remedy}`;
}

/** Whether an error came from the system: a file, a socket or a process. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'This user may not do that (EACCES).',
  EPERM: 'This user may not do that (EPERM).',
  EISDIR: 'This is a folder; a file is needed.',
  ENOTDIR: 'Part of the path is a file, not a folder.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The file system cannot be written to.',
};
