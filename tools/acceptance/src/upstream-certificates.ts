import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Returns a file of the certificates for upstreams. */
export function upstreamPem(name: string): string {
  return readFileSync(new URL(`../../../packages/upstream/test/tls/${name}.pem`, import.meta.url), 'utf8');
}

export interface TlsListener {
  readonly url: string;
  /** Presents another certificate to new connections, and closes the others. */
  present(certificate: string): void;
  stop(): Promise<void>;
}

/** Starts an HTTPS server on a free port with the certificate of this name. */
export async function startTlsListener(
  certificate: string,
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<TlsListener> {
  const pair = (name: string) => ({ cert: upstreamPem(name), key: upstreamPem('server.key') });
  const server = createServer({ ...pair(certificate), ...options }, listener).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => {});
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    present(name) {
      server.setSecureContext({ ...options, ...pair(name) });
      server.closeAllConnections();
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
