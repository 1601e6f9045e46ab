import { securityHeaders } from '../edge/security-headers.ts';
import type { RewriteAddresses } from './public-address.ts';
import type { UpstreamResponse } from './upstream-response.ts';

/** Headers of one connection, not of the message (RFC 9110 §7.6.1); those that `Connection` names come on top. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** What a request does not take along: the caller's credentials, and what is ours to say. */
const keptFromUpstream = new Set([
  ...hopByHop,
  'host',
  'expect',
  'content-length',
  'authorization',
  'x-api-key',
  'traceparent',
  'tracestate',
]);

/** What a request says of where it came from, beside `X-Forwarded-…`. */
const originHeaders = new Set(['forwarded', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']);

const conditionalHeaders = new Set([
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
]);

/** Response headers that only this server sets: limits, ids, addresses, TLS, sniffing and who may call. */
const keptFromCaller = new Set([
  ...hopByHop,
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'strict-transport-security',
  'server',
  'x-powered-by',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
  'x-content-type-options',
  'alt-svc',
  'content-type',
]);

export interface ForwardedRequest {
  /** What the request says of its origin is kept: it comes from a proxy that is known. */
  readonly keepsOrigin?: boolean;
  /** The caller's own conditions go along. */
  readonly isConditional?: boolean;
  /** This server's entry in `Via`, after those of the proxies before it (RFC 9110 §7.6.3). */
  readonly via?: string | undefined;
}

/**
 * The headers of a caller's request that go on to an upstream, as alternating names and values, without keys,
 * credentials and whatever the caller says of where the request came from. `more` is added last and wins.
 */
export function forwardRequestHeaders(
  rawHeaders: readonly string[],
  more: Readonly<Record<string, string>>,
  { keepsOrigin = false, isConditional = true, via }: ForwardedRequest = {},
): string[] {
  const named = connectionNames(rawHeaders);
  const ours = new Set(Object.keys(more).map((name) => name.toLowerCase()));
  const headers: string[] = [];
  let viaBefore = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const lower = name.toLowerCase();
    if (keptFromUpstream.has(lower) || named?.has(lower) || ours.has(lower)) continue;
    if (!keepsOrigin && (lower.startsWith('x-forwarded-') || originHeaders.has(lower))) continue;
    if (!isConditional && conditionalHeaders.has(lower)) continue;
    const value = rawHeaders[i + 1] as string;
    if (lower === 'via' && via !== undefined) {
      viaBefore += `${value}, `;
      continue;
    }
    // A tag is weak only because its answer was compressed here: the upstream, which knows it as strong, is to match it.
    headers.push(name, lower === 'if-match' ? value.replaceAll('W/"', '"') : value);
  }
  for (const [name, value] of Object.entries(more)) headers.push(name, value);
  if (via !== undefined) headers.push('Via', viaBefore + via);
  return headers;
}

/** Whether a caller's request header, by its lower-case name, goes on to an upstream when a cache asks. */
export function isForwarded(name: string, rawHeaders: readonly string[], keepsOrigin: boolean): boolean {
  if (keptFromUpstream.has(name) || conditionalHeaders.has(name) || connectionNames(rawHeaders)?.has(name))
    return false;
  return keepsOrigin || !(name.startsWith('x-forwarded-') || originHeaders.has(name));
}

/**
 * The headers of an upstream's response that go back to the caller, in the usual capitals, without the media type.
 * Addresses of the upstream in them are rewritten.
 */
export function forwardResponseHeaders(
  headers: UpstreamResponse['headers'],
  addresses?: RewriteAddresses,
): Record<string, string | string[]> {
  const { connection } = headers;
  const named = connection === undefined || isPlain(connection) ? undefined : namesIn(String(connection));
  const forwarded: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || keptFromCaller.has(name) || named?.has(name)) continue;
    // Node writes an array as several fields; joined, cookies would lose their borders.
    const given = typeof value === 'string' ? value : joined(name, value);
    const rewrite = addresses?.get(name);
    forwarded[capitals(name)] =
      rewrite === undefined ? given : typeof given === 'string' ? rewrite(given) : given.map(rewrite);
  }
  const policy = forwarded[contentPolicy];
  // Browsers apply every policy of the list: the upstream's own never weakens that of this origin.
  if (policy !== undefined) forwarded[contentPolicy] = `${securityHeaders[contentPolicy]}, ${policy}`;
  return forwarded;
}

const contentPolicy = 'Content-Security-Policy';

/** It names no header. */
function isPlain(connection: string | string[]): boolean {
  return connection === 'keep-alive' || connection === 'close';
}

function joined(name: string, values: string[]): string | string[] {
  return name === 'set-cookie' ? values : values.join(', ');
}

function connectionNames(rawHeaders: readonly string[]): Set<string> | undefined {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 10 && name.toLowerCase() === 'connection') values.push(rawHeaders[i + 1] as string);
  }
  if (values.length === 0 || (values.length === 1 && isPlain(values[0] as string))) return undefined;
  return namesIn(values.join(','));
}

function namesIn(list: string): Set<string> {
  return new Set(list.split(',').map((name) => name.trim().toLowerCase()));
}

/** As this server writes its own headers, so that an upstream's take their place instead of standing beside them. */
function capitals(name: string): string {
  let written = writtenNames.get(name);
  if (written === undefined) {
    written = name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
    // Names are few, unless somebody makes them up.
    if (writtenNames.size < writtenNamesMax) writtenNames.set(name, written);
  }
  return written;
}

const writtenNames = new Map([['etag', 'ETag']]);
const writtenNamesMax = 1_000;
