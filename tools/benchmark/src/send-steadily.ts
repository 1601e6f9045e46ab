import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCore } from './cores.ts';
import type { TimedResult } from './load.ts';
import type { TimedLoad } from './timed-load.ts';

export interface SteadyLoad extends TimedLoad {
  readonly perSecond: number;
}

const program = fileURLToPath(new URL('./steady-load.ts', import.meta.url));

/** Sends requests at a steady rate for so long, whether earlier ones are answered or not, from a process of its own. */
export async function sendSteadily(load: SteadyLoad): Promise<TimedResult> {
  const [command, ...args] = onCore('load', [process.execPath, program, JSON.stringify(load)]);
  const { stdout } = await promisify(execFile)(command, args);
  return JSON.parse(stdout) as TimedResult;
}
