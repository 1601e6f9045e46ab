import type { ServerProcess } from '../server-process.ts';

/** What a server is to be started with, so that its memory can be looked into. */
export const inspectable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** How many bytes are in use by what can still be reached: all else is collected first. */
export async function liveHeapBytes({ said }: Pick<ServerProcess, 'said'>): Promise<number> {
  const [url] = /ws:\/\/\S+/.exec(said()) ?? [];
  if (url === undefined) throw new Error('The server was not started to be inspected.');
  const socket = new WebSocket(url);
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new Error('The inspector of the server does not answer.'));
  await opened;
  const waiting = new Map<number, PromiseWithResolvers<{ usedSize?: number }>>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.resolve(result);
  };
  const hasEnded = () => new Error('The server has ended while its memory was looked into.');
  socket.onclose = () => {
    for (const one of waiting.values()) one.reject(hasEnded());
  };
  let next = 0;
  const send = (method: string) => {
    const id = ++next;
    if (socket.readyState !== WebSocket.OPEN) return Promise.reject(hasEnded());
    const answered = Promise.withResolvers<{ usedSize?: number }>();
    waiting.set(id, answered);
    socket.send(JSON.stringify({ id, method }));
    return answered.promise;
  };
  try {
    // Twice: what has a finaliser goes with the second.
    await send('HeapProfiler.collectGarbage');
    await send('HeapProfiler.collectGarbage');
    const { usedSize = Number.NaN } = await send('Runtime.getHeapUsage');
    return usedSize;
  } finally {
    socket.close();
  }
}
