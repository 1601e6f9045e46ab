import { pollUntil } from '../poll-until.ts';
import type { ServerProcess } from '../server-process.ts';
import { askOnce } from './ask-once.ts';
import { liveHeapBytes } from './live-heap.ts';

/** What a server holds, by its own metrics. */
export interface Holdings {
  readonly files: number;
  /** Timers, sockets and other resources that Node counts. */
  readonly resources: number;
  readonly heapBytes: number;
}

export async function heldBy(url: string): Promise<Holdings> {
  const text = await metricsOf(url);
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    files: figure('process_open_fds'),
    resources: figure('nodejs_active_resources_total'),
    heapBytes: figure('nodejs_heap_size_used_bytes'),
  };
}

/** The same with the heap that is left when all garbage is collected: it does not depend on when that was last done. */
export async function heldForGood(server: ServerProcess & { readonly url: string }): Promise<Holdings> {
  return { ...(await heldBy(server.url)), heapBytes: await liveHeapBytes(server) };
}

/** The same of a server that nobody uses, once those connections are closed that were in use until now. */
export async function heldAtRest(server: ServerProcess & { readonly url: string }): Promise<Holdings> {
  const isAtRest = async () => /^nodejs_active_resources\{type="TCPSocketWrap"\} 1$/m.test(await metricsOf(server.url));
  await pollUntil(isAtRest, { withinMs: 10_000, describe: () => 'connections are still open' });
  return heldForGood(server);
}

async function metricsOf(url: string): Promise<string> {
  return (await askOnce(`${url}/metrics`, { headers: { Accept: 'text/plain' } })).text;
}
