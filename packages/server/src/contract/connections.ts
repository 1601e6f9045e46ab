import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { announcedLength, hasBody } from './request-head.ts';

/** Fields of Node's sockets without public types: the response in flight, and the bytes that are being sent. */
type Connection = Socket & {
  readonly _httpMessage?: (ServerResponse & { readonly _last?: boolean }) | null;
  readonly _bytesDispatched?: number;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
};

/**
 * Destroys connections whose client does not read its response: when no byte has left for one to two periods of
 * `stalledMs`. One interval for all connections costs less than a timer for each request.
 */
export function endStalled(server: Server, stalledMs: number): void {
  const sockets = new Map<Connection, number>();
  const track = (socket: Connection) => {
    sockets.set(socket, nothingWaits);
    socket.once('close', () => sockets.delete(socket));
  };
  // Over TLS, HTTP uses another socket than TCP.
  server.on('connection', track).on('secureConnection', track);
  const timer = setInterval(() => {
    for (const [socket, before] of sockets) {
      const now = sentSoFar(socket);
      if (now !== nothingWaits && now === before) socket.destroy();
      else if (now !== before) sockets.set(socket, now);
    }
  }, stalledMs).unref();
  server.once('close', () => clearInterval(timer));
}

const nothingWaits = -1;

/** Returns how many bytes have left while others wait; `nothingWaits` otherwise. */
function sentSoFar({ _bytesDispatched: dispatched = 0, _handle }: Connection): number {
  const waiting = _handle?.writeQueueSize ?? 0;
  return waiting === 0 ? nothingWaits : dispatched - waiting;
}

/** Node's switch for half-open connections, which has no public type. */
interface HalfOpenServer {
  httpAllowHalfOpen: boolean;
}

/** Responses without an end, such as event streams: a client that closes its side has left. */
const endless = new WeakSet<ServerResponse>();

/** Ends this response with its connection, whichever side closes. */
export function endWithClient(res: ServerResponse): void {
  endless.add(res);
}

/**
 * Responds to requests whose client has closed its side of the connection (RFC 9112 §9.6). Such a client looks like one
 * that has left until something is written, so interim responses probe the connection.
 */
export function serveHalfClosed(server: Server, silentMsMax = 60_000): void {
  (server as Server & HalfOpenServer).httpAllowHalfOpen = true;
  const onConnection = (socket: Connection) => {
    socket.once('end', () => {
      if (responseOf(socket) !== undefined) probe(socket, silentMsMax);
    });
  };
  server.on('connection', onConnection).on('secureConnection', onConnection);
}

/** Returns the response in flight, unless it is endless. */
function responseOf(socket: Connection): ServerResponse | undefined {
  const res = socket._httpMessage;
  if (res == null || socket.destroyed) return undefined;
  if (endless.has(res)) {
    socket.destroy();
    return undefined;
  }
  // Node closes the connection after the last pipelined response, so its head should announce that.
  if (res._last && !res.headersSent) res.shouldKeepAlive = false;
  return res;
}

const firstProbeMs = 100;
const probeMsMax = 5_000;

/**
 * Writes interim responses: a client that has left resets the connection at the first write, and the second one fails.
 * Follows the pipelined responses until Node closes the connection after the last.
 */
function probe(socket: Connection, silentMsMax: number): void {
  let [everyMs, silentMs, writtenBefore] = [firstProbeMs, 0, socket.bytesWritten];
  const probeOnce = () => {
    const res = responseOf(socket);
    if (res === undefined) return;
    silentMs = socket.bytesWritten === writtenBefore ? silentMs + everyMs : 0;
    if (silentMs >= silentMsMax) {
      socket.destroy();
      return;
    }
    if (!res.headersSent && res.req.httpVersion === '1.1') res.writeProcessing();
    writtenBefore = socket.bytesWritten;
    everyMs = Math.min(probeMsMax, 2 * everyMs);
    timer = setTimeout(probeOnce, everyMs).unref();
  };
  let timer = setTimeout(probeOnce, everyMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Returns whether an error response closes the connection, rather than reading the rest of a long body. */
export function isClosedEarly(req: IncomingMessage): boolean {
  return !req.complete && hasBody(req) && (announcedLength(req) ?? Number.POSITIVE_INFINITY) > restBytesMax;
}

/**
 * Bounds how much of a body is read after the response. Where the response closes the connection, only the sending side
 * is closed at first: closing with unread bytes resets the connection, and the client might never read the response
 * (RFC 9112 §9.6).
 */
export function boundRestOfBody(req: IncomingMessage, res: ServerResponse): void {
  res.prependOnceListener('finish', () => {
    if (req.complete || req.destroyed) return;
    const { socket } = req;
    let isClosing = false;
    let rest = 0;
    req.on('data', (chunk: Buffer) => {
      rest += chunk.length;
      if (rest <= drainedBytesMax) return;
      // While nothing is read, the client waits with its next bytes and reads the response.
      if (isClosing) req.pause();
      else socket.destroy();
    });
    // Otherwise Node discards the body without emitting it.
    req.read(0);
    req.resume();
    const destroySoon = () => {
      restore();
      socket.destroySoon();
    };
    const linger = () => {
      isClosing = true;
      socket.end();
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once('close', () => clearTimeout(timer));
      req.once('end', destroySoon);
    };
    socket.destroySoon = linger;
    const restore = () => {
      // The own property hides the method of the prototype.
      if (socket.destroySoon === linger) Reflect.deleteProperty(socket, 'destroySoon');
    };
    // The connection may serve other requests.
    req.once('end', restore);
  });
}

/** Reading a shorter body costs less than the client's next connection. */
const restBytesMax = 64 * 1024;
const drainedBytesMax = 16 * 1024 * 1024;
const lingerMs = 2_000;
