import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One way to be slow. */
export interface SlowKind {
  readonly name: string;
  /** When it is to be closed by, in ms after it was opened; undefined for one that only the server sees closed. */
  readonly closedByMs?: number;
  /** What it does once it is connected, until it is closed. */
  readonly act: (socket: Socket) => void;
}

export interface SlowTarget {
  readonly url: string;
  /** Takes JSON by POST, without a key. */
  readonly bodyPath: string;
  /** Answered at some length, without a key. */
  readonly longPath: string;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

const dripMs = 500;
/** More than the buffers of the system hold between two processes. */
const pipelinedBytes = 12 * 1024 * 1024;

/** All ways to be slow with this server. @param longBytes how long the answer of its long path is */
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
      // Node adds a second to what it announces.
      name: 'idle after an answer',
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
  /** How much later it was closed than it was to be; undefined while it is open, or where nothing is said of when. */
  lateMs: number | undefined;
  end(): void;
}

export interface SlowClientsOptions {
  readonly kinds: readonly SlowKind[];
  readonly count: number;
  /** How late it is now, for what was to be at a time of `performance.now()`. */
  readonly lateMs: (deadlineMs: number) => number;
}

/** Connects so many, of all kinds in turn. The system connects whom the server has yet to accept: their time begins with the last of them. */
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
