import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program until it exits; resolves with whether it exists and exits with 0. */
export async function succeeds(
  program: string,
  args: readonly string[],
  output: 'ignore' | 'inherit' = 'ignore',
): Promise<boolean> {
  const child = spawn(program, args, { stdio: ['ignore', output, output] });
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return exitCode === 0;
  } catch {
    return false;
  }
}
