import { pollUntil } from '../poll-until.ts';
import type { ServerProcess } from '../server-process.ts';
import { askOnce } from './ask.ts';

/** The resources of a server, by its own metrics. */
export interface Resources {
  readonly files: number;
  /** Timers, sockets and other resources that Node counts. */
  readonly resources: number;
  readonly heapBytes: number;
}

/** Reads the resources of a server from its metrics. */
export async function heldBy(url: string): Promise<Resources> {
  const text = await metricsOf(url);
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    files: figure('process_open_fds'),
    resources: figure('nodejs_active_resources_total'),
    heapBytes: figure('nodejs_heap_size_used_bytes'),
  };
}

/** Reads the resources with the heap after a garbage collection. */
export async function readCollectedResources(server: ServerProcess & { readonly url: string }): Promise<Resources> {
  return { ...(await heldBy(server.url)), heapBytes: await liveHeapBytes(server) };
}

/** Reads the resources of an unused server once its open connections are closed. */
export async function readRestingResources(server: ServerProcess & { readonly url: string }): Promise<Resources> {
  const isAtRest = async () => /^nodejs_active_resources\{type="TCPSocketWrap"\} 1$/m.test(await metricsOf(server.url));
  await pollUntil(isAtRest, { withinMs: 10_000, describe: () => 'connections are still open' });
  return readCollectedResources(server);
}

async function metricsOf(url: string): Promise<string> {
  return (await askOnce(`${url}/metrics`, { headers: { Accept: 'text/plain' } })).text;
}

/** The environment of a server whose heap `liveHeapBytes` can measure. */
export const inspectable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** Returns the heap bytes in use after garbage collection. */
export async function liveHeapBytes({ output }: Pick<ServerProcess, 'output'>): Promise<number> {
  const [url] = /ws:\/\/\S+/.exec(output()) ?? [];
  if (url === undefined) throw new Error('Start the server with the environment `inspectable`.');
  const socket = new WebSocket(url);
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new Error('The inspector of the server does not respond.'));
  await opened;
  const waiting = new Map<number, PromiseWithResolvers<{ usedSize?: number }>>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.resolve(result);
  };
  const hasEnded = () => new Error('The server ended while its heap was measured.');
  socket.onclose = () => {
    for (const one of waiting.values()) one.reject(hasEnded());
  };
  let next = 0;
  const send = (method: string) => {
    const id = ++next;
    if (socket.readyState !== WebSocket.OPEN) return Promise.reject(hasEnded());
    const reply = Promise.withResolvers<{ usedSize?: number }>();
    waiting.set(id, reply);
    socket.send(JSON.stringify({ id, method }));
    return reply.promise;
  };
  try {
    // The second collection frees objects with finalizers.
    await send('HeapProfiler.collectGarbage');
    await send('HeapProfiler.collectGarbage');
    const { usedSize = Number.NaN } = await send('Runtime.getHeapUsage');
    return usedSize;
  } finally {
    socket.close();
  }
}
