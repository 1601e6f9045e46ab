import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Stops a process by SIGTERM, after 10 s by SIGKILL; resolves with its exit code. */
export async function endProcess(child: ChildProcess): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(deadline);
  return child.exitCode;
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
