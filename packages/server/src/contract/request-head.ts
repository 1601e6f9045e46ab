import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { Request } from 'express';
import { Problem } from '../problem/index.ts';

/** The most bytes of the URL and all header fields of a request together. */
export const headBytesMax = 32 * 1024;

/**
 * Returns a fault in the head of a request that Node's parser accepts: Node uses the first of several Host fields, and
 * would reject a missing one without a body. A WebSocket handshake is one unless its operation takes it.
 */
export function findHeadProblem(
  { rawHeaders, httpVersion, url }: Request,
  takesWebSockets: (url: string) => boolean,
): Problem | undefined {
  let hosts = 0;
  let length = 0;
  let codings = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    // A colon, a space and a line end.
    length += name.length + value.length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      if (!authority.test(value)) hosts = Number.NaN;
    } else if (name.length === 7 && name.toLowerCase() === 'upgrade') {
      // Other protocols are ignored, and in HTTP/1.0 all of them (RFC 9110 §7.8).
      if (httpVersion === '1.0' || !/\bwebsocket\b/i.test(value) || takesWebSockets(url)) continue;
      return new Problem('not_implemented', 'WebSocket is not supported; send plain requests.', close);
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') codings += `,${value}`;
  }
  if (length > headBytesMax) return new Problem('headers_too_large', 'Send fewer or shorter header fields.', close);
  // The parser reads a request line without a version as HTTP/0.9, and also accepts HTTP/2.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new Problem('malformed_request', 'Send the request in HTTP/1.1 (RFC 9112).', close);
  }
  // An HTTP/1.0 client does not know where such a body ends (RFC 9112 §6.1).
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
    return new Problem('malformed_request', 'Send the path, beginning with its first / (RFC 9112 §3.2.1).', close);
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return new Problem('malformed_request', 'Send exactly one Host header with a valid host (RFC 9112 §3.2).', close);
}

/** Host and port (RFC 3986 §3.2), without a user. */
const authority = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

const close = { headers: { Connection: 'close' } };

/** Returns the path and query of an absolute URL, which clients send to proxies (RFC 9112 §3.2.2). */
export function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url;
  return absoluteForm.exec(url)?.[1]?.replace(/^(?=\?|$)/, '/') ?? url;
}

/** An http URL with a host and without a user (RFC 9110 §4.2.4); other targets stay unchanged. */
const absoluteForm = /^https?:\/\/(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?(?=[/?#]|$)(.*)$/is;

/** Returns the encoded path of a request target. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Returns the decoded query of a request target. */
export function queryOf(url: string): Record<string, unknown> {
  const start = url.indexOf('?');
  return start < 0 || start === url.length - 1 ? Object.create(null) : parseQuery(url.slice(start + 1));
}

/**
 * Returns the decoded parameters of a query; repeated ones are lists. Their number is unlimited: handlers that read the
 * query themselves would see the rest unvalidated.
 */
export function parseQuery(text: string): Record<string, unknown> {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** Returns whether a request has a body; one sent in chunks may be empty (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Returns the value of Content-Length; undefined for a body in chunks. */
export function announcedLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/**
 * Returns a source of request ids: the client's `X-Request-Id` when it is safe to log, otherwise a random prefix and a
 * counter, which is unique without a random number for each request.
 */
export function createRequestIds(
  prefix = randomBytes(6).toString('hex'),
): (req: Pick<IncomingMessage, 'headers'>) => string {
  let count = 0;
  return (req) => {
    const sent = req.headers['x-request-id'];
    return typeof sent === 'string' && safeId.test(sent) ? sent : `${prefix}-${(++count).toString(36)}`;
  };
}

const safeId = /^[\w.:-]{1,128}$/;
