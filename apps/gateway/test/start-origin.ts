import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AtEnd, whenTestEnds } from './at-end.ts';

/** A request as an upstream received it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Origin {
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  readonly server: Server;
  /** Completely read requests, in order. */
  readonly seen: SeenRequest[];
  /** Returns the number of open connections. */
  connections(): Promise<number>;
}

/** Starts an upstream, by default closed when the test ends. By default it responds with the received request. */
export async function startOrigin(
  answer: (request: SeenRequest, ...args: Parameters<RequestListener>) => void = (request, _req, res) => {
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(request));
  },
  atEnd: AtEnd = whenTestEnds,
): Promise<Origin> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (req, res) => {
    const body = await text(req).catch(() => undefined);
    if (body === undefined) return;
    const request = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body };
    seen.push(request);
    answer(request, req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  return { url: `http://${host}`, host, server, seen, connections };
}

export interface RawOrigin {
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  /** Heads of the requests that arrived, in order. */
  readonly heads: readonly string[];
  /** Returns the number of open connections. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts an upstream that responds to each request head with the bytes of the test; by default closed when the test ends. */
export async function startRawOrigin(
  answer: (socket: Socket, head: string) => void,
  atEnd: AtEnd = whenTestEnds,
): Promise<RawOrigin> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
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
  atEnd(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, heads, sockets };
}
