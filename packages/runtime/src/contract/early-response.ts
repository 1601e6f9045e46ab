import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcedLength } from './body-bytes.ts';

/** Whether a request has a body, though it may be empty when it is sent in chunks (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Whether to close the connection after an error response, rather than to read the rest of a long body for nothing. */
export function isClosedEarly(req: IncomingMessage): boolean {
  return !req.complete && hasBody(req) && (announcedLength(req) ?? Number.POSITIVE_INFINITY) > restBytesMax;
}

/**
 * Bounds what is read of a body after the response. Where the response closes the connection, only the sending side is
 * closed at first: closing with unread bytes resets the connection, and the client might never read the response (RFC
 * 9112 §9.6).
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
    // Otherwise Node discards the body where nobody sees it.
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
      // Its own property hides the method of the prototype.
      if (socket.destroySoon === linger) Reflect.deleteProperty(socket, 'destroySoon');
    };
    // The connection may go on to other requests.
    req.once('end', restore);
  });
}

/** A shorter body costs less to read than the client's next connection. */
const restBytesMax = 64 * 1024;
const drainedBytesMax = 16 * 1024 * 1024;
const lingerMs = 2_000;
