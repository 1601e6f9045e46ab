import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A failure that the caller can fix: only its message is printed, and the exit code is 1. */
export class ReleaseFailure extends Error {}

export interface RunOptions {
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Discards the output. */
  readonly isQuiet?: boolean;
}

/**
 * Runs a program until it exits and passes its output on.
 * @throws ReleaseFailure when it fails; the program has printed why.
 */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.env };
    const output = options.isQuiet ? 'ignore' : 'inherit';
    const child = spawn(command, args, { cwd: options.cwd, env, stdio: ['ignore', output, output] });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new ReleaseFailure(`${[command, ...args].join(' ')} exited with ${code}.`)),
    );
  });
}

/** Runs a command of the changesets installed here on any workspace. */
export function runChangesets(
  root: string,
  args: readonly string[],
  options: Omit<RunOptions, 'cwd'> = {},
): Promise<void> {
  const program = fileURLToPath(import.meta.resolve('@changesets/cli/bin.js'));
  return run(process.execPath, [program, ...args], { ...options, cwd: root });
}
