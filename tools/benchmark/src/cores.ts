import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Where a process is to run: what is measured has a core of its own, what asks and answers it shares another. */
export type Core = 'server' | 'load';

const numbers: Readonly<Record<Core, string>> = { server: '0', load: '1' };

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', process.execPath, '-v']).status === 0;

/** For people: what a figure was measured with. */
export const pinning = canPin ? 'pinned' : 'not pinned';

/** The command that runs this one on that core; the command itself where the machine does not let it. */
export function onCore(core: Core | undefined, command: readonly string[]): [string, ...string[]] {
  const pinned = core === undefined || !canPin ? command : ['taskset', '-c', numbers[core], ...command];
  return pinned as [string, ...string[]];
}
