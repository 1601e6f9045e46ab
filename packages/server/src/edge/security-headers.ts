import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Headers of every response: no sniffing, framing, embedding or caching unless a handler overrides them. */
export const securityHeaders = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
});

/** Headers of every response over TLS: browsers use TLS from then on (RFC 6797). */
export const securityHeadersOverTls = Object.freeze({
  ...securityHeaders,
  'Strict-Transport-Security': 'max-age=31536000',
});

/** Returns whether a connection uses TLS. */
export function isEncrypted(socket: Pick<Socket, never> | null | undefined): boolean {
  return (socket as TLSSocket | null | undefined)?.encrypted === true;
}
