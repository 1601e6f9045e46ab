import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** How an upstream handles a request after it has read it whole. */
export type Behaviour =
  | 'answer'
  /** Sends RST. */
  | 'reset'
  /** Closes the connection without a response. */
  | 'close'
  | 'silence'
  | 'garbage'
  /** Declares a longer body than it sends, and closes the connection. */
  | 'truncate'
  /** Sends a whole response, and resets the connection at the next request on it. */
  | 'answer once'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export interface FaultUpstream {
  readonly url: string;
  readonly host: string;
  /** `METHOD /path body` of every whole request. */
  readonly requests: string[];
  readonly sockets: ReadonlySet<Socket>;
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>;
  /** Stops listening and closes all connections. */
  stop(): Promise<void>;
}

/**
 * Starts a server on raw sockets that fails as `behave` says, which is called for each request with its number from 0.
 * Stops with the test.
 */
export async function startFaultUpstream(
  behave: Behaviour | ((n: number, request: string) => Behaviour),
): Promise<FaultUpstream> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let text = '';
    let isLast = false;
    socket.on('data', (chunk) => {
      if (isLast) {
        socket.resetAndDestroy();
        return;
      }
      text += chunk.toString('latin1');
      const request = takeRequest(text);
      if (request === undefined) return;
      text = '';
      requests.push(request);
      const behaviour = typeof behave === 'function' ? behave(requests.length - 1, request) : behave;
      isLast = behaviour === 'answer once';
      act(behaviour, socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  };
  onTestFinished(stop);
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    sockets,
    async allClosed() {
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
    stop,
  };
}

function takeRequest(text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const body = text.slice(end + 4);
  const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const isChunked = /transfer-encoding: *chunked/i.test(head);
  if (isChunked ? !body.endsWith('0\r\n\r\n') : body.length < length) return undefined;
  return `${head.split(' ', 2).join(' ')} ${body}`.trim();
}

function act(behaviour: Behaviour, socket: Socket): void {
  if (typeof behaviour === 'object') {
    const { status, headers = {}, body = '' } = behaviour;
    const lines = Object.entries({ ...headers, 'Content-Length': String(body.length) }).map(
      ([k, v]) => `${k}: ${v}\r\n`,
    );
    socket.write(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n${body}`);
    return;
  }
  if (behaviour === 'answer' || behaviour === 'answer once') act({ status: 200, body: 'ok' }, socket);
  else if (behaviour === 'reset') socket.resetAndDestroy();
  else if (behaviour === 'close') socket.end();
  else if (behaviour === 'garbage') socket.write('SSH-2.0-OpenSSH\r\n\r\n');
  else if (behaviour === 'truncate') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
}
