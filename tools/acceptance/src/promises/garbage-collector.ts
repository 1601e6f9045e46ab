import type { AtEnd } from '../at-end.ts';
import { pollUntil } from '../poll-until.ts';
import type { ServerProcess } from '../server-process.ts';

/** For the environment of a process whose garbage is to be collected. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Connects to the inspector of a process; what it resolves with makes it collect all garbage, so that what it holds
 * then does not depend on when it last did so by itself.
 */
export async function connectCollector({ said }: ServerProcess, atEnd: AtEnd): Promise<() => Promise<void>> {
  const address = () => /ws:\/\/127\.0\.0\.1:\d+\/\S+/.exec(said())?.[0];
  await pollUntil(() => address() !== undefined, { withinMs: 10_000, describe: () => `no inspector:\n${said()}` });
  const socket = new WebSocket(address() as string);
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  const answered = new Map<number, () => void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new Error('The inspector does not answer.'));
  socket.onmessage = ({ data }) => answered.get(JSON.parse(data).id)?.();
  await opened;
  atEnd(async () => socket.close());
  let sent = 0;
  return async () => {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    answered.set(++sent, resolve);
    socket.send(JSON.stringify({ id: sent, method: 'HeapProfiler.collectGarbage' }));
    await done;
    answered.clear();
  };
}
