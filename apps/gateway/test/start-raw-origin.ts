import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawOrigin {
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  /** Heads of the requests that arrived, in order. */
  readonly heads: readonly string[];
  /** Returns the number of open connections. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts an upstream that responds to each request head with the bytes of the test; it is closed when the test ends. */
export async function startRawOrigin(answer: (socket: Socket, head: string) => void): Promise<RawOrigin> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    let unread = '';
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      unread += chunk.toString('latin1');
      const end = unread.indexOf('\r\n\r\n');
      if (end < 0 || !/^[A-Z]+ \//.test(unread)) return;
      const head = unread.slice(0, end);
      unread = '';
      heads.push(head);
      answer(socket, head);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, heads, sockets };
}
