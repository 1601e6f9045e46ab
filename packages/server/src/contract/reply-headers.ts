import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Coding } from '../edge/compress.ts';
import type { ReplyHeaders } from './handler.ts';

export type Headers = Record<string, string | number | readonly string[]>;

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

/** The spelling of the headers that the server reads or always sends, so that none is sent twice. */
const ownNames: ReadonlyMap<string, string> = new Map(
  [
    ...Object.keys(securityHeadersOverTls),
    'Accept-Ranges',
    'Access-Control-Allow-Credentials',
    'Access-Control-Allow-Origin',
    'Access-Control-Expose-Headers',
    'Content-Digest',
    'Content-Encoding',
    'Content-Length',
    'Content-Range',
    'Content-Type',
    'Digest',
    'ETag',
    'Expires',
    'Repr-Digest',
    'Vary',
    'X-Request-Id',
  ].map((name) => [name.toLowerCase(), name]),
);

/**
 * Adds the headers of a reply. Expires removes the default Cache-Control, and so does an empty Cache-Control: the reply
 * comes from an upstream that sends neither.
 */
export function addHeaders(headers: Headers, more: ReplyHeaders): void {
  let hasCacheControl = false;
  for (const key in more) {
    const value = more[key] as ReplyHeaders[string];
    const name = ownNames.get(key.toLowerCase()) ?? key;
    headers[name] = name === 'Vary' && headers.Vary !== undefined ? joinVary(headers.Vary, String(value)) : value;
    if (name === 'Cache-Control') hasCacheControl = true;
  }
  if (hasCacheControl ? headers['Cache-Control'] === '' : headers.Expires !== undefined) {
    delete headers['Cache-Control'];
  }
}

/** Returns the union of two `Vary` values. Results are cached, since the same pairs recur. */
export function joinVary(known: Headers[string] | undefined, more: string): string {
  if (known === undefined) return more;
  const list = `${known}, ${more}`;
  let joined = joinedVaries.get(list);
  if (joined === undefined) {
    const names = new Map<string, string>();
    for (const member of list.split(',')) {
      const name = member.trim();
      const lower = name.toLowerCase();
      if (!names.has(lower)) names.set(lower, name);
    }
    joined = [...names.values()].join(', ');
    // An upstream may send any number of values.
    if (joinedVaries.size >= joinedVariesMax) joinedVaries.clear();
    joinedVaries.set(list, joined);
  }
  return joined;
}

const joinedVaries = new Map<string, string>();
const joinedVariesMax = 100;

/** Returns whether a body may be compressed: not one that is encoded, partial, digested or marked no-transform. */
export function mayTransform(headers: Headers): boolean {
  return (
    headers['Content-Encoding'] === undefined &&
    headers['Content-Range'] === undefined &&
    headers['Content-Digest'] === undefined &&
    headers['Repr-Digest'] === undefined &&
    headers.Digest === undefined &&
    !isNoTransform(headers['Cache-Control'])
  );
}

export function isNoTransform(cacheControl: Headers[string] | undefined): boolean {
  // Most responses have the default.
  if (cacheControl === undefined || cacheControl === securityHeaders['Cache-Control']) return false;
  return /\bno-transform\b/i.test(String(cacheControl));
}

/** Changes the headers to those of an encoded representation, which shares no byte with the plain one (RFC 9110 §8.8.3). */
export function encodeHeaders(headers: Headers, coding: Coding): void {
  headers['Content-Encoding'] = coding;
  delete headers['Content-Length'];
  delete headers['Accept-Ranges'];
  weakenTag(headers);
}

export function weakenTag(headers: Headers): void {
  const tag = headers.ETag;
  if (typeof tag === 'string' && tag.startsWith('"')) headers.ETag = `W/${tag}`;
}

/** Returns the entity tags of a list such as If-None-Match (RFC 9110 §8.8.3). */
export function entityTagsIn(header: string | undefined): readonly string[] {
  return header?.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
