import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { AtEnd } from './at-end.ts';

/** A forwarder to a server, which can be away without stopping the server. */
export interface Gate {
  /** The URL of the server, through the gate. */
  readonly url: string;
  /** Ends all connections, and accepts none until it is opened. */
  shut(): void;
  open(): void;
}

/** Forwards the connections to the server of a URL. */
export async function startGate(to: string, atEnd: AtEnd): Promise<Gate> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((socket) => {
    if (isShut) {
      socket.destroy();
      return;
    }
    const other = connect(Number(target.port), target.hostname);
    for (const [one, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        peer.destroy();
      });
      one.pipe(peer);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const shut = () => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };
  atEnd(async () => {
    shut();
    server.close();
  });
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    shut,
    open() {
      isShut = false;
    },
  };
}
