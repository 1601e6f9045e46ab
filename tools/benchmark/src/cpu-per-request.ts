import { sendRequests, type TimedResult } from './load.ts';
import type { ServerProcess } from './server-process.ts';
import { sendFor, type TimedLoad } from './timed-load.ts';

export interface Asked {
  readonly server: ServerProcess;
  readonly path: string | ((n: number) => string);
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections?: number;
}

/** Microseconds of the server's own, all of its threads together. */
export async function cpuPerRequest(
  { server, path, headers = {}, connections = 8 }: Asked,
  count: number,
): Promise<number> {
  const before = await server.ask<number>('cpu');
  const pathOf = typeof path === 'string' ? () => path : path;
  const { failed } = await sendRequests({ url: server.url, path: pathOf, headers, connections }, count);
  if (failed > 0) throw new Error(`${failed} of ${count} requests such as ${pathOf(0)} failed.`);
  return ((await server.ask<number>('cpu')) - before) / count;
}

/** The same over a time, from a load generator beside the server, with how long answers took. */
export async function cpuPerRequestFor({
  server,
  ...load
}: Omit<TimedLoad, 'url'> & { readonly server: ServerProcess }): Promise<TimedResult & { readonly cpuUs: number }> {
  const before = await server.ask<number>('cpu');
  const result = await sendFor({ ...load, url: server.url });
  const { sent, failed } = result;
  if (failed > 0 || sent === 0) throw new Error(`${failed} of ${sent} requests such as ${load.paths[0]} failed.`);
  return { ...result, cpuUs: ((await server.ask<number>('cpu')) - before) / sent };
}
