import { fileURLToPath } from 'node:url';
import { type RunOptions, run } from './run.ts';

/** Runs a command of changesets on a workspace, whatever that workspace has installed. */
export function runChangesets(
  root: string,
  args: readonly string[],
  options: Omit<RunOptions, 'cwd'> = {},
): Promise<void> {
  const program = fileURLToPath(import.meta.resolve('@changesets/cli/bin.js'));
  return run(process.execPath, [program, ...args], { ...options, cwd: root });
}
