import type { HeaderChanges } from '@rostergate/server';
import { securityHeaders } from '@rostergate/server/edge';
import type { RewriteAddresses } from './public-address.ts';
import type { UpstreamResponse } from './upstream-response.ts';

/** Headers of one connection (RFC 9110 §7.6.1), in addition to those that `Connection` names. */
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

/** Request headers that are not forwarded: the caller's credentials, and headers that this server sets. */
const notForwarded = new Set([
  ...hopByHop,
  'host',
  'expect',
  'content-length',
  'authorization',
  'x-api-key',
  'traceparent',
  'tracestate',
]);

/** Headers that state the origin of a request, besides `X-Forwarded-…`. */
const originHeaders = new Set(['forwarded', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']);

const conditionalHeaders = new Set([
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
]);

/** Response headers that are not returned: limits, ids, CORS and others that only this server sets. */
const notReturned = new Set([
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
  /** The request comes from a trusted proxy: the origin that it states is forwarded. */
  readonly trustsOrigin?: boolean;
  /** The caller's own conditions are forwarded. */
  readonly isConditional?: boolean;
  /** This server's entry in `Via`, after those of the proxies before it (RFC 9110 §7.6.3). */
  readonly via?: string | undefined;
}

/**
 * Returns the headers of a request to forward, as alternating names and values, without credentials and the origin that
 * the caller states. `more` replaces headers of the same name, and `changes` apply to both.
 */
export function forwardRequestHeaders(
  rawHeaders: readonly string[],
  more: Readonly<Record<string, string>>,
  { trustsOrigin = false, isConditional = true, via }: ForwardedRequest = {},
  changes?: HeaderChanges,
): string[] {
  const named = connectionNames(rawHeaders);
  const replaced = new Set(Object.keys(more).map((name) => name.toLowerCase()));
  let changesOurs = false;
  if (changes !== undefined) {
    for (const name of changes.dropped) {
      if (replaced.has(name)) changesOurs = true;
      else replaced.add(name);
    }
  }
  const headers: string[] = [];
  let viaBefore = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const lower = name.toLowerCase();
    if (notForwarded.has(lower) || named?.has(lower) || replaced.has(lower)) continue;
    if (!trustsOrigin && (lower.startsWith('x-forwarded-') || originHeaders.has(lower))) continue;
    if (!isConditional && conditionalHeaders.has(lower)) continue;
    const value = rawHeaders[i + 1] as string;
    if (lower === 'via' && via !== undefined) {
      viaBefore += `${value}, `;
      continue;
    }
    // This server weakens tags when it compresses; the upstream knows the strong one.
    headers.push(name, lower === 'if-match' ? value.replaceAll('W/"', '"') : value);
  }
  for (const [name, value] of Object.entries(more)) {
    if (!changesOurs || !changes?.dropped.has(name.toLowerCase())) headers.push(name, value);
  }
  if (changes !== undefined) headers.push(...changes.fields);
  if (via !== undefined) headers.push('Via', viaBefore + via);
  return headers;
}

/** Whether a caller's request header, by lower-case name, is forwarded when a cache fetches. */
export function isForwarded(name: string, rawHeaders: readonly string[], trustsOrigin: boolean): boolean {
  if (notForwarded.has(name) || conditionalHeaders.has(name) || connectionNames(rawHeaders)?.has(name)) return false;
  return trustsOrigin || !(name.startsWith('x-forwarded-') || originHeaders.has(name));
}

/**
 * Returns the headers of a response for the caller, in the usual capitals, without the media type. It rewrites addresses
 * of the upstream.
 */
export function forwardResponseHeaders(
  headers: UpstreamResponse['headers'],
  addresses?: RewriteAddresses,
): Record<string, string | string[]> {
  const { connection } = headers;
  const named = connection === undefined || isPlain(connection) ? undefined : namesIn(String(connection));
  const forwarded: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || notReturned.has(name) || named?.has(name)) continue;
    // Node writes an array as several fields; cookies cannot be joined.
    const given = typeof value === 'string' ? value : joined(name, value);
    const rewrite = addresses?.get(name);
    forwarded[capitalize(name)] =
      rewrite === undefined ? given : typeof given === 'string' ? rewrite(given) : given.map(rewrite);
  }
  const policy = forwarded[contentPolicy];
  // Browsers apply every policy of the list: the upstream's own never weakens that of this origin.
  if (policy !== undefined) forwarded[contentPolicy] = `${securityHeaders[contentPolicy]}, ${policy}`;
  return forwarded;
}

const contentPolicy = 'Content-Security-Policy';

/** Whether it names no header. */
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

/** Returns the spelling of this server's own headers, so that an upstream's replaces it. */
function capitalize(name: string): string {
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    spelling = name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
    // An upstream may send random names.
    if (spellings.size < spellingsMax) spellings.set(name, spelling);
  }
  return spelling;
}

const spellings = new Map(
  ['ETag', 'Sec-WebSocket-Accept', 'Sec-WebSocket-Extensions', 'Sec-WebSocket-Protocol'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);
const spellingsMax = 1_000;
