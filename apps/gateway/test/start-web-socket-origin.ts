import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';

export interface WebSocketOrigin {
  readonly url: string;
  /** The handshakes that arrived. */
  readonly seen: IncomingMessage[];
  readonly sockets: ReadonlySet<WebSocket>;
}

/** Starts an upstream that returns each message, and 403 for the path /refuse; it is closed when the test ends. */
export async function startWebSocketOrigin(options: ServerOptions = {}): Promise<WebSocketOrigin> {
  const seen: IncomingMessage[] = [];
  const server = createServer((_req, res) => res.end('plain'));
  const sockets = new WebSocketServer({ noServer: true, ...options });
  server.on('upgrade', (req, socket, head) => {
    seen.push(req);
    socket.on('error', () => {});
    if (req.url?.startsWith('/refuse')) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nContent-Type: text/plain\r\nX-Why: test\r\n\r\nno');
      return;
    }
    sockets.handleUpgrade(req, socket, head, (webSocket) => {
      webSocket.on('error', () => {});
      webSocket.on('message', (data, isBinary) => webSocket.send(data, { binary: isBinary }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const webSocket of sockets.clients) webSocket.terminate();
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, sockets: sockets.clients };
}

/** Resolves with an open WebSocket; rejects with the status of the response in its place. */
export async function connect(url: string, ...args: [protocols?: string[], options?: object]): Promise<WebSocket> {
  const webSocket = new WebSocket(url.replace(/^http/, 'ws'), ...args);
  webSocket.on('error', () => {});
  onTestFinished(() => webSocket.terminate());
  await new Promise<void>((resolve, reject) => {
    webSocket.on('open', resolve).on('error', reject);
    webSocket.on('unexpected-response', (_, response) => reject(new Error(`rejected with ${response.statusCode}`)));
  });
  return webSocket;
}

/** Sends a message and returns the next one. */
export async function exchange(webSocket: WebSocket, message: string | Buffer): Promise<Buffer> {
  const received = once(webSocket, 'message');
  webSocket.send(message);
  const [data] = (await received) as [Buffer];
  return data;
}

/** Resolves with the code and the reason by which a WebSocket is closed. */
export async function closed(webSocket: WebSocket): Promise<[code: number, reason: string]> {
  const [code, reason] = (await once(webSocket, 'close')) as [number, Buffer];
  return [code, reason.toString()];
}
