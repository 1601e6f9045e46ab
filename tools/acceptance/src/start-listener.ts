import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener {
  readonly url: string;
  /** Whoever is connected still is cut off. */
  stop(): Promise<void>;
}

/** Answers HTTP on a free port of this machine, in the stead of a server that is not tried. */
export async function startListener(answer: RequestListener): Promise<Listener> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
