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
  const { text } = await askOnce(`${url}/metrics`, { headers: { Accept: 'text/plain' } });
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
