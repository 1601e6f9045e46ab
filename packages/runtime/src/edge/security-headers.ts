import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** On every answer: nothing is sniffed, framed, embedded or cached unless a handler says otherwise. */
export const securityHeaders = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
});

/** On every answer over TLS: a browser asks over TLS from now on (RFC 6797). */
const strictTransportSecurity = Object.freeze({ 'Strict-Transport-Security': 'max-age=31536000' });

/** The same with what an encrypted connection adds. */
export const securityHeadersOverTls = Object.freeze({ ...securityHeaders, ...strictTransportSecurity });

export function isEncrypted(socket: Pick<Socket, never> | null | undefined): boolean {
  return (socket as TLSSocket | null | undefined)?.encrypted === true;
}
