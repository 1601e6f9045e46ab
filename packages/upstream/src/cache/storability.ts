import type { IncomingHttpHeaders } from 'node:http';
import type { ReplyHeaders } from '@rostergate/server';
import { type CacheDirectives, deltaSeconds, fieldNamesOf, parseCacheControl, secondsOf } from './cache-control.ts';
import { fieldNames, textOf } from './fields.ts';
import { parseHttpDate } from './http-date.ts';

export interface ReceivedResponse {
  readonly status: number;
  /** Normalized by `normalizeFields`. */
  readonly headers: ReplyHeaders;
  /** The maximum time of reuse. */
  readonly secondsMax: number;
  /** How long a response without declared freshness is reused. */
  readonly secondsDefault: number;
  readonly request: IncomingHttpHeaders;
  /** Whether entries are stored per key owner, so that the key in Authorization needs no permission (§3.5). */
  readonly isPerOwner: boolean;
  readonly requestedMs: number;
  readonly nowMs: number;
}

export interface Lifetime {
  /** The age on arrival (RFC 9111 §4.2.3), in milliseconds. */
  readonly ageMs: number;
  /** How long the response is fresh from now on; 0 or less when each reuse needs validation. */
  readonly freshMs: number;
  /** Whether it may be used while stale if the request or the response allows it (§4.2.4). */
  readonly mayBeStale: boolean;
  readonly staleWhileRevalidateMs: number;
  readonly staleIfErrorMs: number;
  /** Lower-case names of the request headers that select the response. */
  readonly vary: readonly string[];
  /** Lower-case names of response headers that must not be stored. */
  readonly omitted: readonly string[];
}

/** Returns how long a shared cache may reuse a response (RFC 9111 §3 and §4.2); undefined when it must not be stored. */
export function lifetimeOf(response: ReceivedResponse): Lifetime | undefined {
  const { headers, secondsMax, secondsDefault } = response;
  const directives = parseCacheControl(textOf(headers, 'Cache-Control'));
  const vary = fieldNames(textOf(headers, 'Vary'));
  if (isForbidden(response, directives, vary)) return undefined;
  const ageMs = ageOf(response);
  const declaredMs = declaredFreshnessMs(response, directives);
  if (!(declaredMs === undefined ? heuristicallyCacheable.has(response.status) : mayBeStored(response.status))) {
    return undefined;
  }
  const noCacheFields = fieldNamesOf(directives, 'no-cache');
  const needsValidation = directives.has('no-cache') && noCacheFields === undefined;
  const remainingMs = declaredMs === undefined ? secondsDefault * 1_000 : declaredMs - ageMs;
  const maxMs = secondsMax * 1_000;
  const mayBeStale = !needsValidation && !needValidation.some((name) => directives.has(name));
  const lifetime: Lifetime = {
    ageMs,
    freshMs: needsValidation ? 0 : Math.min(remainingMs, maxMs),
    mayBeStale,
    staleWhileRevalidateMs: mayBeStale ? windowMs(directives, 'stale-while-revalidate', maxMs) : 0,
    staleIfErrorMs: mayBeStale ? windowMs(directives, 'stale-if-error', maxMs) : 0,
    vary,
    omitted: [...(noCacheFields ?? []), ...(fieldNamesOf(directives, 'private') ?? [])],
  };
  return isUseful(lifetime, headers) ? lifetime : undefined;
}

function isForbidden(
  { status, headers, request, isPerOwner }: ReceivedResponse,
  directives: CacheDirectives,
  vary: readonly string[],
): boolean {
  if (directives.has('must-understand')) {
    // §5.2.2.3: a cache that understands the status ignores no-store.
    if (!understood.has(status)) return true;
  } else if (directives.has('no-store')) return true;
  if (directives.has('private') && fieldNamesOf(directives, 'private') === undefined) return true;
  // §7.3 allows it, but the next caller would get the session.
  if (headers['Set-Cookie'] !== undefined || vary.includes('*')) return true;
  // An event stream never ends.
  if (textOf(headers, 'Content-Type')?.toLowerCase().startsWith('text/event-stream')) return true;
  // §3.5. A cookie is a credential like Authorization.
  const hasCredentials =
    (request.authorization !== undefined && !isPerOwner) || (request.cookie !== undefined && !vary.includes('cookie'));
  return hasCredentials && !['public', 's-maxage', 'must-revalidate'].some((name) => directives.has(name));
}

/** s-maxage implies proxy-revalidate (§5.2.2.10). */
const needValidation = ['must-revalidate', 'proxy-revalidate', 's-maxage'];

/** Statuses with default freshness: failures are reused only with declared freshness. */
const heuristicallyCacheable: ReadonlySet<number> = new Set([200, 203, 204, 300, 301, 308]);

/** The final statuses of RFC 9110 §15 without 206 and 304, which are not stored. */
const understood: ReadonlySet<number> = new Set([
  ...[200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 305, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408],
  ...[409, 410, 411, 413, 414, 415, 417, 421, 422, 426, 500, 501, 502, 503, 504, 505],
]);

/** With declared freshness any final status may be stored (§3), except those that depend on conditions or ranges. */
function mayBeStored(status: number): boolean {
  return status >= 200 && status !== 206 && status !== 304 && status !== 412 && status !== 416;
}

/** Returns the declared freshness (§4.2.1) in milliseconds; undefined when nothing is declared. */
function declaredFreshnessMs({ headers, nowMs }: ReceivedResponse, directives: CacheDirectives): number | undefined {
  const seconds = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age');
  if (seconds !== undefined) return seconds * 1_000;
  const expires = textOf(headers, 'Expires');
  if (expires === undefined) return undefined;
  const expiresMs = parseHttpDate(expires, nowMs);
  // An invalid date is in the past (§5.3).
  return expiresMs === undefined ? 0 : expiresMs - (dateOf(headers, nowMs) ?? nowMs);
}

function windowMs(directives: CacheDirectives, name: string, maxMs: number): number {
  return Math.min((secondsOf(directives, name) ?? 0) * 1_000, maxMs);
}

/** Whether the entry can serve any request: fresh, by validation, or while stale. */
function isUseful(lifetime: Lifetime, headers: ReplyHeaders): boolean {
  return (
    lifetime.freshMs > 0 ||
    headers.ETag !== undefined ||
    headers['Last-Modified'] !== undefined ||
    lifetime.staleWhileRevalidateMs > 0 ||
    lifetime.staleIfErrorMs > 0
  );
}

/** Returns the corrected initial age of §4.2.3. */
function ageOf({ headers, requestedMs, nowMs }: ReceivedResponse): number {
  const apparentMs = nowMs - (dateOf(headers, nowMs) ?? nowMs);
  const correctedMs = ageSeconds(headers) * 1_000 + (nowMs - requestedMs);
  return Math.max(apparentMs, correctedMs, 0);
}

/** Returns the first member of Age; an invalid one is ignored (§5.1). */
export function ageSeconds(headers: ReplyHeaders): number {
  const [first = ''] = textOf(headers, 'Age')?.split(',') ?? [];
  return deltaSeconds(first.trim()) ?? 0;
}

export function dateOf(headers: ReplyHeaders, nowMs: number): number | undefined {
  return parseHttpDate(textOf(headers, 'Date'), nowMs);
}
