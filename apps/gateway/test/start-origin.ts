import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** What an upstream has seen of a request. */
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
  /** Requests that were read to their end, in their order. */
  readonly seen: SeenRequest[];
  /** Connections that are open. */
  connections(): Promise<number>;
}

/** A server behind the gateway; closed when the test ends. By default it tells what it saw. */
export async function startOrigin(
  answer: (request: SeenRequest, ...args: Parameters<RequestListener>) => void = (request, _req, res) => {
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(request));
  },
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
  onTestFinished(() => {
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
