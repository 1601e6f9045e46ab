import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { isForwarded } from './forwarded-headers.ts';

/** The origin in a forwarded request; undefined headers are forwarded from the caller, if any. */
export interface ForwardedOrigin {
  /** The remote address of the connection. */
  readonly address: string;
  /** A trusted proxy sent the request: the origin that it states is kept. */
  readonly isTrusted: boolean;
  readonly for: string;
  readonly proto: string | undefined;
  readonly forwarded: string | undefined;
}

export function originOf(
  req: IncomingMessage,
  isTrustedProxy: ((address: string) => boolean) | undefined,
): ForwardedOrigin {
  const address = req.socket.remoteAddress ?? 'unknown';
  const isTrusted = isTrustedProxy?.(address) === true;
  const { 'x-forwarded-for': before, 'x-forwarded-proto': proto, forwarded } = req.headers;
  const ownProto = (req.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  return {
    address,
    isTrusted,
    for: isTrusted ? chain(before, address) : address,
    proto: isTrusted && proto !== undefined ? undefined : ownProto,
    // Forwarded and X-Forwarded-For must agree.
    forwarded: isTrusted && forwarded !== undefined ? chain(forwarded, `for=${nodeOf(address)}`) : undefined,
  };
}

function chain(before: string | string[] | undefined, address: string): string {
  return before === undefined || before === '' ? address : `${before}, ${address}`;
}

/** Formats a node identifier (RFC 7239 §6). */
function nodeOf(address: string): string {
  return address.includes(':') ? `"[${address}]"` : address;
}

/** Returns the value of a request header that `forward` sends, by lower-case name; undefined when it sends none. */
export type ReadSentHeader = (name: string, req: IncomingMessage) => string | undefined;

/** Creates a reader of the headers that are sent with these options, which `Vary` of the response refers to. */
export function createSentHeaderReader(options: {
  readonly headers: Readonly<Record<string, string>>;
  readonly isTrustedProxy: ((address: string) => boolean) | undefined;
}): ReadSentHeader {
  const added = new Map(Object.entries(options.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name, req) => {
    const origin = originOf(req, options.isTrustedProxy);
    if (name === 'x-forwarded-proto' && origin.proto !== undefined) return origin.proto;
    if (name === 'forwarded' && origin.forwarded !== undefined) return origin.forwarded;
    const value = added.get(name);
    if (value !== undefined) return value;
    if (name === 'x-forwarded-for') return origin.for;
    if (name === 'via') return `${req.headers.via ?? ''}, ${req.httpVersion}`;
    if (uniquePerRequest.has(name)) return `${++readings}`;
    if (!isForwarded(name, req.rawHeaders, origin.isTrusted)) return undefined;
    // Node drops repeated lines of these, which are forwarded.
    if (single.has(name)) return req.headersDistinct[name]?.join(', ');
    return req.headers[name]?.toString();
  };
}

/** Different for each request, so that no stored response matches. */
const uniquePerRequest: ReadonlySet<string> = new Set(['x-request-id', 'traceparent', 'tracestate']);
let readings = 0;

const single: ReadonlySet<string> = new Set([
  'from',
  'location',
  'max-forwards',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);
