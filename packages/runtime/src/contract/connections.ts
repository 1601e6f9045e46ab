import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Node keeps the response in flight on its socket, and has half-open connections behind a field without a type. */
type Connection = Socket & { readonly _httpMessage?: (ServerResponse & { readonly _last?: boolean }) | null };
interface HalfOpenServer {
  httpAllowHalfOpen: boolean;
}

/** Responses without an end of their own: a client that closes its side has left. */
const endless = new WeakSet<ServerResponse>();

/** The end of this response is the end of its connection, whichever side closes. */
export function endWithClient(res: ServerResponse): void {
  endless.add(res);
}

/**
 * Answers requests whose client has closed its side of the connection (RFC 9112 §9.6). The end of a client that has
 * left looks the same until something is written: an interim response now and then finds out.
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

/** Returns the response in flight, if there is one that has an end of its own. */
function responseOf(socket: Connection): ServerResponse | undefined {
  const res = socket._httpMessage;
  if (res == null || socket.destroyed) return undefined;
  if (endless.has(res)) {
    socket.destroy();
    return undefined;
  }
  // Node closes the connection after the last of the pipelined responses: its head says so where it can.
  if (res._last && !res.headersSent) res.shouldKeepAlive = false;
  return res;
}

const firstProbeMs = 100;
const probeMsMax = 5_000;

/**
 * A client that is gone resets the connection at the first write; the second finds that. Looks at one pipelined
 * response after the other until Node closes the connection after the last.
 */
function probe(socket: Connection, silentMsMax: number): void {
  let [everyMs, silentMs, writtenBefore] = [firstProbeMs, 0, socket.bytesWritten];
  const look = () => {
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
    timer = setTimeout(look, everyMs).unref();
  };
  let timer = setTimeout(look, everyMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
