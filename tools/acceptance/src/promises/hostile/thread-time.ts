import { existsSync, readFileSync } from 'node:fs';

/**
 * How long the main thread of a process has worked, in ms; undefined where the system does not tell. What others do on
 * the machine takes none of it, and no request can hold up others for longer than the thread works for it.
 */
export function threadTimeMs(pid: number): number | undefined {
  const file = `/proc/${pid}/schedstat`;
  if (!existsSync(file)) return undefined;
  const [nanoseconds] = readFileSync(file, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
