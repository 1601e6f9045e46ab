import type { ServerProcess } from '../server-process.ts';

const pidsOf = ({ log }: Pick<ServerProcess, 'log'>, start: string) =>
  log.filter(({ msg }) => msg?.startsWith(start)).map(({ pid }) => pid as number);

/** Returns the process ids of all workers that have served, by the log. */
export const workersServed = (gateway: Pick<ServerProcess, 'log'>): readonly number[] =>
  pidsOf(gateway, 'worker serves');

/** Returns the process ids of running workers, the oldest first. */
export function livingWorkers(gateway: Pick<ServerProcess, 'log'>): readonly number[] {
  const ended = pidsOf(gateway, 'worker ended');
  return workersServed(gateway).filter((pid) => !ended.includes(pid));
}

/** Freezes a process until it is killed. */
export const freeze = (pid: number | undefined): void => {
  if (pid !== undefined) process.kill(pid, 'SIGSTOP');
};
