import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

// A group of its own lives on when the rehearsal is broken off, unless it is ended.
process.once('exit', () => {
  for (const child of running) endGroup(child, 'SIGKILL');
});

/** Has a child that leads a group (`detached`) end with this process, together with all that it has started. */
export function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

/** Sends a signal to a child and to all that it has started. */
export function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
