import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Where a process is to run: what is measured has a core of its own, what asks and answers it shares another. `any` is
 * for what is more than one process, or is asked nothing yet.
 */
export type Core = 'server' | 'load' | 'any';

const numbers: Readonly<Record<Core, string>> = { server: '0', load: '1', any: '0,1' };

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', process.execPath, '-v']).status === 0;

/** For people: what a figure was measured with. */
export const pinning = canPin ? 'pinned' : 'not pinned';

/** The command that runs this one on that core; the command itself where the machine does not let it. */
export function onCore(core: Core, command: readonly string[]): [string, ...string[]] {
  const pinned = canPin ? ['taskset', '-c', numbers[core], ...command] : command;
  return pinned as [string, ...string[]];
}

/** From now on this process, and what it starts without a core, leave the core of what is measured alone. */
export function leaveServerCore(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', numbers.load, String(process.pid)]);
}
