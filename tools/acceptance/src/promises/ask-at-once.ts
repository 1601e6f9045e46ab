import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { inLanes } from './in-lanes.ts';

export interface AskedAtOnce {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Connections opened at a time; beyond the backlog of a server they open a second later. */
const openedAtOnce = 200;
const patienceMs = 30_000;

/**
 * Opens a connection per request, and sends all requests once all connections are open. Resolves with the statuses in
 * the order of the requests, 0 without a response.
 */
export async function askAtOnce(all: readonly AskedAtOnce[]): Promise<number[]> {
  const sockets = await inLanes(openedAtOnce, all, async ({ url }) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).setTimeout(patienceMs, () => socket.destroy());
    // A request without a response has status 0.
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  });
  for (const [n, { url, headers }] of all.entries()) {
    const { host, pathname } = new URL(url);
    const fields = Object.entries({ Host: host, Connection: 'close', ...headers });
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    sockets[n]?.write(`GET ${pathname} HTTP/1.1\r\n${head}\r\n`);
  }
  return Promise.all(sockets.map(statusOf));
}

async function statusOf(socket: Socket): Promise<number> {
  const response = await text(socket).catch(() => '');
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 0);
}
