import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { isForwarded } from './forwarded-headers.ts';

/** What a forwarded request says of its origin; undefined where the caller's own header goes on, or none. */
export interface ForwardedOrigin {
  /** Of the connection that the request came on. */
  readonly address: string;
  /** A trusted proxy sent the request: what it says of the origin is kept. */
  readonly isKept: boolean;
  readonly for: string;
  readonly proto: string | undefined;
  readonly forwarded: string | undefined;
}

export function originOf(
  req: IncomingMessage,
  isTrustedProxy: ((address: string) => boolean) | undefined,
): ForwardedOrigin {
  const address = req.socket.remoteAddress ?? 'unknown';
  const isKept = isTrustedProxy?.(address) === true;
  const { 'x-forwarded-for': before, 'x-forwarded-proto': proto, forwarded } = req.headers;
  const ownProto = (req.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  return {
    address,
    isKept,
    for: isKept ? chain(before, address) : address,
    proto: isKept && proto !== undefined ? undefined : ownProto,
    // Two chains that disagree would be believed by nobody.
    forwarded: isKept && forwarded !== undefined ? chain(forwarded, `for=${nodeOf(address)}`) : undefined,
  };
}

function chain(before: string | string[] | undefined, address: string): string {
  return before === undefined || before === '' ? address : `${before}, ${address}`;
}

/** RFC 7239 §6. */
function nodeOf(address: string): string {
  return address.includes(':') ? `"[${address}]"` : address;
}

/** Returns the value of a request header, by its lower-case name, as `forward` sends it; undefined when it does not. */
export type ReadSentHeader = (name: string, req: IncomingMessage) => string | undefined;

/** Reads headers as they are sent with these options: what `Vary` of a response to a forwarded request refers to. */
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
    if (madeForEach.has(name)) return `${++readings}`;
    if (!isForwarded(name, req.rawHeaders, origin.isKept)) return undefined;
    // Node drops the second line of these, which is sent on all the same.
    if (single.has(name)) return req.headersDistinct[name]?.join(', ');
    return req.headers[name]?.toString();
  };
}

/** Different for each request, so that no stored response matches. */
const madeForEach: ReadonlySet<string> = new Set(['x-request-id', 'traceparent', 'tracestate']);
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
