import type { ConfigFault } from '../config/config-error.ts';

export interface CommandFailureOptions extends ErrorOptions {
  /** The command has already reported the failure. */
  readonly isReported?: boolean;
  /** The faults that the message lists, for `--json`. */
  readonly faults?: readonly ConfigFault[];
}

/** Ends a command early: one line for people, without a stack, and the exit code for scripts. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  readonly isReported: boolean;
  readonly faults: readonly ConfigFault[];

  constructor(
    message: string,
    exitCode: ExitCode = exitCodes.invalid,
    { isReported = false, faults = [], ...options }: CommandFailureOptions = {},
  ) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.isReported = isReported;
    this.faults = faults;
  }
}

/** Exit codes of every command. */
export const exitCodes = Object.freeze({ ok: 0, invalid: 1, usage: 2, failed: 3 });

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The meaning of each exit code: shown below `--help` and in the documentation. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = Object.freeze([
  ['0', 'Success.'],
  ['1', 'The configuration or other input has faults; each is listed.'],
  ['2', 'Usage error: an unknown command or option, or a missing argument.'],
  ['3', 'Environment error: a port is in use, or a file cannot be read or written.'],
  ['130, 143', 'Interrupted (SIGINT, SIGTERM). No file is left half-written. A server that drained exits with 0.'],
]);

/** Returns the lines about exit codes below `--help`. */
export function helpOnExitCodes(): string {
  const lines = exitCodeMeanings.map(([code, meaning]) => `  ${code.padEnd(9)}${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}

/** Describes a system error for people: the file and the cause. */
export function describeSystemError(error: NodeJS.ErrnoException): string {
  const { code = 'unknown', path, syscall } = error;
  const cause = code in causes ? causes[code] : `(${syscall}, ${code})`;
  return path === undefined ? error.message : `${path}: ${cause}`;
}

/** Whether an error comes from the system: a file, a socket or a process. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'Permission denied (EACCES).',
  EPERM: 'Permission denied (EPERM).',
  EISDIR: 'This is a folder, not a file.',
  ENOTDIR: 'Part of the path is a file, not a folder.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The file system is read-only.',
};
