import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What Node knows of bytes on their way and shows under no other name. */
type Sending = Socket & {
  readonly _bytesDispatched?: number;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
};

/**
 * Ends connections whose caller does not read its answer: of which nothing has left for at least so long, at most
 * twice. One look at all of them now and then costs less than a timer for each request.
 */
export function endStalled(server: Server, stalledMs: number): void {
  const sockets = new Map<Sending, number>();
  const track = (socket: Sending) => {
    sockets.set(socket, nothingWaits);
    socket.once('close', () => sockets.delete(socket));
  };
  // Over TLS the socket that HTTP is spoken on is another.
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

/** How many bytes have left, as long as others wait to. */
function sentSoFar({ _bytesDispatched: given = 0, _handle }: Sending): number {
  const waiting = _handle?.writeQueueSize ?? 0;
  return waiting === 0 ? nothingWaits : given - waiting;
}
