import { randomBytes } from 'node:crypto';
import { runProgram, withDefaultCommand } from '@rostergate/config/command';
import { createProgram } from './program.ts';

/** Runs the command line of a process and sets its exit code. */
export function run(process: NodeJS.Process): Promise<void> {
  const { env, stdin } = process;
  const args = withDefaultCommand(process.argv.slice(2));
  return runProgram(process, {
    args,
    packageFile: new URL('../../package.json', import.meta.url),
    createProgram: (world) => createProgram({ ...world, stdin, env, clock: Date.now, randomBytes }, args),
  });
}
