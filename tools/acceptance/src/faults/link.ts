import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { upstreamPem } from '../upstream-certificates.ts';
import { createExchange, type Exchange } from './exchange.ts';
import type { Fault } from './faults.ts';
import { readRequests } from './read-requests.ts';

/** A fault of a link. */
export interface LinkFault extends Pick<Fault, 'connect' | 'respond'> {
  /** The certificate that the server presents in place of its own. */
  readonly certificate?: string;
}

export interface LinkOptions {
  /** The certificate with which it takes TLS; plain TCP without one. */
  readonly certificate?: string;
  /** Sends the correct response. */
  readonly respond: (exchange: Exchange) => void;
}

/** A server for one endpoint, on a port of its own, because a fault before the request concerns the whole port. */
export interface Link {
  readonly url: string;
  /** Sets the fault, or removes it, and closes all connections. */
  use(fault?: LinkFault): void;
  openSockets(): number;
  stop(): Promise<void>;
}

export async function startLink({ certificate, respond }: LinkOptions): Promise<Link> {
  const sockets = new Set<Socket>();
  let fault: LinkFault = {};
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    const { connect, certificate: other = certificate, respond: fail } = fault;
    if (connect?.(socket) === 'done') return;
    const carrier = other === undefined ? socket : secure(socket, other);
    readRequests(carrier, (request) => {
      const exchange = { ...createExchange(request, carrier), reset: () => void socket.resetAndDestroy() };
      if (fail === undefined) respond(exchange);
      else fail(exchange, () => respond(exchange));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const closeSockets = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    use(next = {}) {
      fault = next;
      closeSockets();
    },
    openSockets: () => sockets.size,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      closeSockets();
      await closed;
    },
  };
}

function secure(socket: Socket, certificate: string): TLSSocket {
  const secureContext = createSecureContext({ cert: upstreamPem(certificate), key: upstreamPem('server.key') });
  return new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
}
