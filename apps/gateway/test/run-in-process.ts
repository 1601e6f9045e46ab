import { randomBytes } from 'node:crypto';
import { runProgram } from '@rostergate/config/command';
import { createProgram } from '../src/command/program.ts';
import type { Ended, RunOptions } from './run-rostergate.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the program without starting a process; one at a time, because the working folder is that of the
 * tests. Not for configurations with services, whose code would stay loaded.
 */
export function runInProcess(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: Pick<RunOptions, 'cwd' | 'env'> = {},
): Promise<Ended> {
  const ended = last.then(() => runIn(cwd, args, env));
  last = ended.catch(() => undefined);
  return ended;
}

async function runIn(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  const streamOf = (name: keyof typeof texts) => ({
    on: () => undefined,
    write: (text: string) => {
      texts[name] += text;
    },
  });
  const own = { env, exitCode: null, on: () => undefined, stdout: streamOf('stdout'), stderr: streamOf('stderr') };
  const before = process.cwd();
  process.chdir(cwd);
  try {
    await runProgram(own as unknown as NodeJS.Process, {
      args,
      packageFile: new URL('../package.json', import.meta.url),
      createProgram: (world) => createProgram({ ...world, env, clock: Date.now, random: randomBytes }, args),
    });
  } finally {
    process.chdir(before);
  }
  return { code: own.exitCode, ...texts };
}
