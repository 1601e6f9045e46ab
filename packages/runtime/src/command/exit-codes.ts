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
