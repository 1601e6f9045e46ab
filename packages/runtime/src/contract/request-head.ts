import type { Request } from 'express';
import { Problem } from '../problem/index.ts';

/** Bytes of the address and all header fields together that a request may have. */
export const headBytesMax = 32 * 1024;

/**
 * What is wrong with the head of a request that Node's parser let through. Node keeps the first of several Host fields
 * without a word, and would answer none of them without a body.
 */
export function findHeadProblem({ rawHeaders, httpVersion, url }: Request): Problem | undefined {
  let hosts = 0;
  let length = 0;
  let codings = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    // A line has a colon, a space and its end as well.
    length += name.length + value.length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      if (!authority.test(value)) hosts = Number.NaN;
    } else if (name.length === 7 && name.toLowerCase() === 'upgrade') {
      // Any other offer is ignored, and so is every one in HTTP/1.0 (RFC 9110 §7.8).
      if (httpVersion === '1.0' || !/\bwebsocket\b/i.test(value)) continue;
      return new Problem('not_implemented', 'No WebSocket is opened here; send plain requests.', close);
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') codings += `,${value}`;
  }
  if (length > headBytesMax) return new Problem('headers_too_large', 'Send fewer or shorter header fields.', close);
  // The parser takes a request line without a version for one of HTTP/0.9, and HTTP/2.0 in letters as well.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new Problem('malformed_request', 'Ask in HTTP/1.1 (RFC 9112).', close);
  }
  // Whoever speaks the older version does not know where such a body ends (RFC 9112 §6.1).
  if (codings !== '' && httpVersion === '1.0') {
    return new Problem('malformed_request', 'HTTP/1.0 has no Transfer-Encoding: send a Content-Length.', close);
  }
  if (codings !== '' && !/^,[ \t]*chunked[ \t]*$/i.test(codings)) {
    return new Problem(
      'not_implemented',
      'Send the body with Transfer-Encoding: chunked, without other codings.',
      close,
    );
  }
  if (!url.startsWith('/') && url !== '*') {
    return new Problem('malformed_request', 'Write the path, from its first / on (RFC 9112 §3.2.1).', close);
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return new Problem('malformed_request', 'Send exactly one Host header, with a host in it (RFC 9112 §3.2).', close);
}

/** Host and port (RFC 3986 §3.2), without a user. */
const authority = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

const close = { headers: { Connection: 'close' } };

/** The path and query of an address that a caller wrote in full, as callers of proxies do (RFC 9112 §3.2.2). */
export function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url;
  return inFull.exec(url)?.[1]?.replace(/^(?=\?|$)/, '/') ?? url;
}

/** With a host, and without a user (RFC 9110 §4.2.4); what is written otherwise stays as it is. */
const inFull = /^https?:\/\/(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?(?=[/?#]|$)(.*)$/is;
