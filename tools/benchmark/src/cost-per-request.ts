import { sendRequests, type TimedLoad, type TimedResult } from './load.ts';
import { sendFor } from './load-generator.ts';
import type { ServerProcess } from './server-process.ts';

/** Requests whose cost is measured. */
export interface CountedLoad {
  readonly server: ServerProcess;
  readonly path: string | ((n: number) => string);
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections?: number;
  /** Sent by POST. */
  readonly body?: string;
}

/** Returns the CPU microseconds of the server per request, over all of its threads. */
export function cpuPerRequest(load: CountedLoad, count: number): Promise<number> {
  return costPerRequest('cpu', load, count);
}

const warmRequests = 2_000;
const countedRequests = 2_000;

/** Returns the heap bytes that the server allocates per request. No other program changes them. */
export async function bytesPerRequest({
  server,
  paths,
  headers,
}: {
  readonly server: ServerProcess;
  readonly paths: readonly string[];
  readonly headers: readonly Readonly<Record<string, string>>[];
}): Promise<number> {
  const load = { server, path: String(paths[0]), headers: headers[0] ?? {} };
  await sendRequests({ url: server.url, path: () => load.path, headers: load.headers, connections: 8 }, warmRequests);
  return costPerRequest('allocated', load, countedRequests);
}

async function costPerRequest(
  question: 'cpu' | 'allocated',
  { server, path, headers = {}, connections = 8, body }: CountedLoad,
  count: number,
): Promise<number> {
  const before = await server.ask<number>(question);
  const pathOf = typeof path === 'string' ? () => path : path;
  const { failed } = await sendRequests({ url: server.url, path: pathOf, headers, connections, body }, count);
  if (failed > 0) throw new Error(`${failed} of ${count} requests like ${pathOf(0)} failed.`);
  return ((await server.ask<number>(question)) - before) / count;
}

/** Sends a load for a time from another process; returns the response times and the server's CPU per request. */
export async function cpuPerRequestFor({
  server,
  ...load
}: Omit<TimedLoad, 'url'> & { readonly server: ServerProcess }): Promise<TimedResult & { readonly cpuUs: number }> {
  const before = await server.ask<number>('cpu');
  const result = await sendFor({ ...load, url: server.url });
  const { sent, failed } = result;
  if (failed > 0 || sent === 0) throw new Error(`${failed} of ${sent} requests like ${load.paths[0]} failed.`);
  return { ...result, cpuUs: ((await server.ask<number>('cpu')) - before) / sent };
}
