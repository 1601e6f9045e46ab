import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * The core of a process: the measured server has its own, load and upstreams share the other. `any` is for several
 * processes, and for servers that receive no load yet.
 */
export type Core = 'server' | 'load' | 'any';

const numbers: Readonly<Record<Core, string>> = { server: '0', load: '1', any: '0,1' };

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', process.execPath, '-v']).status === 0;

/** Whether processes are pinned to cores, for people. */
export const pinning = canPin ? 'pinned' : 'not pinned';

/** Returns the command pinned to the core; unchanged where the machine does not allow that. */
export function onCore(core: Core, command: readonly string[]): [string, ...string[]] {
  const pinned = canPin ? ['taskset', '-c', numbers[core], ...command] : command;
  return pinned as [string, ...string[]];
}

/** Moves this process, and what it starts without a core, off the core of the measured server. */
export function leaveServerCore(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', numbers.load, String(process.pid)]);
}
