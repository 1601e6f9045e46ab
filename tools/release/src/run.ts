import { spawn } from 'node:child_process';
import { ReleaseFailure } from './release-failure.ts';

export interface RunOptions {
  readonly cwd: string;
  /** On top of this process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Keeps what it prints from whoever called. */
  readonly isQuiet?: boolean;
}

/**
 * Runs a program to its end in front of whoever called.
 * @throws ReleaseFailure when it fails; it has said why.
 */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.env };
    const output = options.isQuiet ? 'ignore' : 'inherit';
    const child = spawn(command, args, { cwd: options.cwd, env, stdio: ['ignore', output, output] });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new ReleaseFailure(`${[command, ...args].join(' ')} ended with ${code}.`)),
    );
  });
}
