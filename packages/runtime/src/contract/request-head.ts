import type { Request } from 'express';
import { Problem } from '../problem/index.ts';

/** Bytes of the address and all header fields together that a request may have. */
export const headBytesMax = 32 * 1024;

/**
 * What is wrong with the head of a request that Node's parser let through. Node keeps the first of several Host fields
 * without a word, and would answer none of them without a body.
 */
export function findHeadProblem({ rawHeaders, httpVersion }: Request): Problem | undefined {
  let hosts = 0;
  let length = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    // A line has a colon, a space and its end as well.
    length += name.length + value.length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      if (!authority.test(value)) hosts = Number.NaN;
    } else if (name.length === 7 && name.toLowerCase() === 'upgrade' && /\bwebsocket\b/i.test(value)) {
      return new Problem('not_implemented', 'No WebSocket is opened here; send plain requests.', close);
    }
  }
  if (length > headBytesMax) return new Problem('headers_too_large', 'Send fewer or shorter header fields.', close);
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return new Problem('malformed_request', 'Send exactly one Host header, with a host in it (RFC 9112 §3.2).', close);
}

/** Host and port (RFC 3986 §3.2), without a user. */
const authority = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

const close = { headers: { Connection: 'close' } };

/** The path and query of an address that a caller wrote in full, as callers of proxies do (RFC 9112 §3.2.2). */
export function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url;
  return /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1]?.replace(/^(?=\?|$)/, '/') ?? url;
}
