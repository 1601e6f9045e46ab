import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A kind of slow client. */
export interface SlowKind {
  readonly name: string;
  /** When the server must close it, in ms after it was opened; undefined if only the server notices the close. */
  readonly closedByMs?: number;
  /** Its behaviour while it is connected. */
  readonly act: (socket: Socket) => void;
}

export interface SlowTarget {
  readonly url: string;
  /** A path that takes JSON by POST without a key. */
  readonly bodyPath: string;
  /** A path with a long response without a key. */
  readonly longPath: string;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

const dripMs = 500;
/** More than the socket buffers hold. */
const pipelinedBytes = 12 * 1024 * 1024;

/** Returns all kinds of slow clients. @param longBytes the length of the long response */
export function slowKinds(target: SlowTarget, longBytes: number): SlowKind[] {
  const { bodyPath, longPath, headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = target;
  const { host } = new URL(target.url);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const post = (field: string) =>
    `POST ${bodyPath} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${field}\r\n\r\n`;
  return [
    { name: 'silent', closedByMs: headersTimeoutMs, act: () => {} },
    {
      name: 'slow head',
      closedByMs: headersTimeoutMs,
      act(socket) {
        socket.write(`GET ${longPath} HTTP/1.1\r\nHost: ${host}\r\nX-Drip: `);
        drip(socket, 'x');
      },
    },
    {
      name: 'slow body',
      closedByMs: requestTimeoutMs,
      act(socket) {
        socket.write(`${post('Content-Length: 1000')}{`);
        drip(socket, ' ');
      },
    },
    {
      name: 'slow chunks',
      closedByMs: requestTimeoutMs,
      act(socket) {
        socket.write(`${post('Transfer-Encoding: chunked')}1\r\n{\r\n`);
        drip(socket, '1\r\n \r\n');
      },
    },
    {
      name: 'half closed',
      closedByMs: headersTimeoutMs,
      act: (socket) => socket.end(`GET ${longPath} HTTP/1.1\r\nHost: `),
    },
    {
      // Node adds a second to the announced timeout.
      name: 'idle after a response',
      closedByMs: keepAliveTimeoutMs + 1_000,
      act: (socket) => void socket.write(get('/health/live')),
    },
    {
      name: 'reads nothing',
      act(socket) {
        socket.pause();
        socket.write(get(longPath).repeat(Math.ceil(pipelinedBytes / longBytes)));
      },
    },
  ];
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.writable && socket.write(text), dripMs);
  socket.once('close', () => clearInterval(timer));
}

export interface SlowClient {
  readonly kind: SlowKind;
  /** How long after its deadline it was closed; undefined while it is open or without a deadline. */
  lateMs: number | undefined;
  end(): void;
}

export interface SlowClientsOptions {
  readonly kinds: readonly SlowKind[];
  readonly count: number;
  /** Returns how late it is now for a deadline of `performance.now()`. */
  readonly lateMs: (deadlineMs: number) => number;
}

/** Opens connections of all kinds in turn. Deadlines start with the last one, because the server accepts them late. */
export async function openSlowClients(
  url: string,
  { kinds, count, lateMs }: SlowClientsOptions,
): Promise<SlowClient[]> {
  const { hostname, port } = new URL(url);
  let allOpenMs: number | undefined;
  const open = async (n: number): Promise<SlowClient> => {
    const kind = kinds[n % kinds.length] as SlowKind;
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: kind.name === 'half closed' });
    const client: SlowClient = { kind, lateMs: undefined, end: () => socket.destroy() };
    socket.on('error', () => {}).on('end', () => socket.destroy());
    await once(socket, 'connect');
    socket.once('close', () => {
      if (kind.closedByMs !== undefined) client.lateMs = lateMs((allOpenMs ?? performance.now()) + kind.closedByMs);
    });
    socket.resume();
    kind.act(socket);
    return client;
  };
  const clients = await Promise.all(Array.from({ length: count }, (_, n) => open(n)));
  allOpenMs = performance.now();
  return clients;
}
