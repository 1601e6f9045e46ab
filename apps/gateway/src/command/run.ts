import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import { runProgram } from '@rostergate/runtime/command';
import { createProgram } from './program.ts';

/** Runs the command line of a process and leaves its exit code there. */
export async function run(process: NodeJS.Process): Promise<void> {
  const { env } = process;
  const args = process.argv.slice(2);
  // Standard output holds what the command prints; what services print while they load goes beside it.
  if (args[0] !== 'serve') Object.assign(console, new Console(process.stderr));
  await runProgram(process, {
    args,
    packageFile: new URL('../../package.json', import.meta.url),
    createProgram: (world) => createProgram({ ...world, env, clock: Date.now, random: randomBytes }, args),
  });
  // Whatever a service has started while its module was loaded has had its time.
  setTimeout(() => process.exit(), 500).unref();
}
