import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { AtEnd } from '../at-end.ts';

/** The upstream of the scenarios: it stores items, repeats ids, sends numbered events and repeats messages. */
export interface Origin {
  readonly url: string;
  /** How it treats requests from now on; `resets` breaks off their connections. */
  behave(how: { readonly delayMs?: () => number; readonly resets?: () => boolean }): void;
}

export async function startOrigin(atEnd: AtEnd): Promise<Origin> {
  const versions = new Map<string, number>();
  let how: Parameters<Origin['behave']>[0] = {};
  const server = createServer(async (req, res) => {
    req.on('error', () => {});
    if (req.url?.startsWith('/events')) return void sendEvents(res);
    if (how.resets?.() === true) return void req.socket.destroy();
    const delayMs = how.delayMs?.() ?? 0;
    if (delayMs > 0) await wait(delayMs);
    await respond(req, res, versions).catch(() => res.destroy());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (message) => socket.send(String(message)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave(next) {
      how = next;
    },
  };
}

/** `/items/{name}` stores the version in the body of PUT and responds `name=version`; other paths repeat the body or id. */
async function respond(req: IncomingMessage, res: ServerResponse, versions: Map<string, number>): Promise<void> {
  const [, kind, name = ''] = (req.url ?? '').split('/');
  const body = await text(req);
  if (kind === 'items') {
    // A late write does not replace a newer one.
    if (req.method === 'PUT') versions.set(name, Math.max(Number(body), versions.get(name) ?? 0));
    res.writeHead(200, { 'Content-Type': 'text/plain' }).end(`${name}=${versions.get(name) ?? 0}`);
    return;
  }
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(body === '' ? JSON.stringify({ id: name }) : body);
}

/** Sends the numbers from 0, ten a second. */
function sendEvents(res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let n = 0;
  const timer = setInterval(() => res.write(`data: ${n++}\n\n`), 100);
  res.once('close', () => clearInterval(timer));
}
