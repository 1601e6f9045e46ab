import { existsSync, readFileSync } from 'node:fs';
import { exchangeRaw } from './exchange-raw.ts';
import type { GrownRequest } from './growing-inputs.ts';
import { headOf } from './targets.ts';
import type { WatchedServer } from './watched-servers.ts';

/** A server whose thread time can be measured. */
export type WorkingServer = Pick<WatchedServer, 'name' | 'url' | 'headers' | 'child'>;

export interface Work {
  readonly ms: number;
  readonly status: number;
  /** The response with its head. */
  readonly text: string;
}

/** Longer work may be split; then the wait of other requests is measured. */
const atOnceMs = 20;

/** Rounds of an input that seems to be too slow: some machines run at half of their speed for a while. */
export const roundsMax = 12;

/** Returns how long a request can delay others: the work of the thread, or less if the work is split. */
export async function pauseOf(server: WorkingServer, request: GrownRequest, rounds = 1, msMax?: number): Promise<Work> {
  const work = await leastOf(rounds, () => workFor(server, request), msMax);
  if (work.ms <= atOnceMs) return work;
  const { ms } = await leastOf(rounds, () => waitBeside(server, request), msMax);
  return { ...work, ms: Math.min(ms, work.ms) };
}

/**
 * Returns the fastest of several rounds, because other programs only lengthen a round; up to `roundsMax` while all
 * took longer than `msMax`.
 */
export async function leastOf(
  rounds: number,
  run: () => Promise<Work>,
  msMax = Number.POSITIVE_INFINITY,
): Promise<Work> {
  let least = await run();
  for (let round = 1; round < rounds || (least.ms > msMax && round < roundsMax); round++) {
    const one = await run();
    if (one.ms < least.ms) least = one;
  }
  return least;
}

/** Returns how long the server's thread works for a request, which limits how long it delays others. */
export function workFor(server: WorkingServer, request: GrownRequest): Promise<Work> {
  return timed(server, () => send(server, request));
}

/** Returns the longest wait of another request during the request, in work of the server's thread. */
export async function waitBeside(server: WorkingServer, request: GrownRequest): Promise<Work> {
  let isOver = false;
  const sent = send(server, request).finally(() => {
    isOver = true;
  });
  let longest: Work = { ms: 0, status: 0, text: '' };
  while (!isOver) {
    const one = await timed(server, async () => {
      const response = await fetch(`${server.url}/health/live`);
      return { text: await response.text(), statuses: [response.status] };
    });
    if (one.ms > longest.ms) longest = one;
  }
  await sent;
  return longest;
}

async function timed(
  server: WorkingServer,
  run: () => Promise<{ readonly text: string; readonly statuses: readonly number[] }>,
): Promise<Work> {
  const pid = server.child.pid as number;
  const [before, startedMs] = [threadTimeMs(pid), performance.now()];
  const { text, statuses } = await run();
  const passedMs = performance.now() - startedMs;
  const after = threadTimeMs(pid);
  const ms = before === undefined || after === undefined ? passedMs : Math.min(passedMs, after - before);
  return { ms, status: statuses[0] ?? 599, text };
}

function send(server: WorkingServer, { method = 'GET', path, headers, body = '' }: GrownRequest) {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body, 'latin1')) };
  const head = headOf({ ...server, server: server.name, method, path }, { ...headers, ...length });
  return exchangeRaw(server.url, Buffer.from(`${head}\r\n${body}`, 'latin1'));
}

/**
 * Returns the CPU time of the main thread of a process in ms; undefined where the system does not report it. Other
 * programs do not change it.
 */
export function threadTimeMs(pid: number): number | undefined {
  const file = `/proc/${pid}/schedstat`;
  if (!existsSync(file)) return undefined;
  const [nanoseconds] = readFileSync(file, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
