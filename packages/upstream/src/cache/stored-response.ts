import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { RawReply, Reply, ReplyHeaders } from '@rostergate/server';
import { toPrivateCacheControl } from './cache-control.ts';
import type { StoredResponse } from './cache-store.ts';
import { isNotModified } from './conditions.ts';
import { fieldNames, normalizeFields, textOf, withoutFields } from './fields.ts';
import { ageSeconds, dateOf, type Lifetime } from './storability.ts';

/** The settings for sending a response to callers. */
export interface ReplyPolicy {
  readonly secondsDefault: number;
  /** The response is for one caller: no shared cache may serve it to another. */
  readonly isPrivate: boolean;
  /** The response may differ for a caller with another key, or with none. */
  readonly variesByCaller: boolean;
  /** The reply is of a local service, not of an upstream: an ETag and a max-age may be added. */
  readonly isOrigin: boolean;
}

/** A received response without its body. */
export interface ReceivedReply {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Normalized by `normalizeFields`, with a Date. */
  readonly headers: ReplyHeaders;
}

/** Returns a reply with normalized headers, and the time of receipt in place of a missing or invalid Date. */
export function receive(reply: Reply, nowMs: number): ReceivedReply {
  const headers = normalizeFields(reply.headers);
  return {
    status: reply.status,
    contentType: 'raw' in reply ? reply.contentType : 'application/json',
    headers: dateOf(headers, nowMs) === undefined ? { ...headers, Date: new Date(nowMs).toUTCString() } : headers,
  };
}

export function createStoredResponse(
  policy: ReplyPolicy,
  { status, contentType, headers }: ReceivedReply,
  bytes: Buffer,
  { ageMs, freshMs, mayBeStale, staleWhileRevalidateMs, staleIfErrorMs }: Lifetime,
  nowMs: number,
): StoredResponse {
  const { Age: _, 'Content-Length': __, ...upstreamHeaders } = headers;
  const leaving = leavingHeaders(policy, upstreamHeaders, true);
  const hasOwnTag = policy.isOrigin && status === 200 && upstreamHeaders.ETag === undefined;
  return {
    status,
    contentType,
    upstreamHeaders,
    headers: hasOwnTag ? { ...leaving, ETag: weakTagOf(bytes) } : leaving,
    bytes,
    bornMs: nowMs - ageMs,
    freshUntilMs: nowMs + freshMs,
    ...{ mayBeStale, staleWhileRevalidateMs, staleIfErrorMs },
  };
}

/** Weak: the response may be sent in another content coding. */
function weakTagOf(bytes: Buffer): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** Returns the headers of a stored response, updated with those of a 304 (RFC 9111 §3.2 and §4.3.4). */
export function freshenedHeaders(stored: StoredResponse, update: ReplyHeaders): ReplyHeaders {
  return { ...stored.upstreamHeaders, ...withoutFields(update, describesBytes) };
}

/** Fields that describe the stored bytes, which stay the same. */
const describesBytes = ['content-encoding', 'content-length', 'content-range', 'content-type'];

/**
 * Returns the headers for callers, with the caching headers of the upstream. A reusable response without caching headers
 * has no Cache-Control, instead of the default `no-store`.
 */
export function leavingHeaders(policy: ReplyPolicy, headers: ReplyHeaders, isStorable: boolean): ReplyHeaders {
  const { isPrivate, variesByCaller, isOrigin, secondsDefault } = policy;
  const given = textOf(headers, 'Cache-Control');
  const unset = headers.Expires !== undefined || (isStorable && !isOrigin) ? '' : undefined;
  const open = given ?? unset ?? (isStorable ? `max-age=${secondsDefault}` : undefined);
  const leaving = isPrivate && open !== undefined ? toPrivateCacheControl(open) : open;
  if (leaving === given && !variesByCaller) return headers;
  const vary = variesByCaller ? { Vary: withCallerFields(textOf(headers, 'Vary')) } : {};
  return { ...headers, ...(leaving === undefined ? {} : { 'Cache-Control': leaving }), ...vary };
}

/** The request headers that carry a key. */
const callerFields = ['Authorization', 'X-API-Key'];

function withCallerFields(vary: string | undefined): string {
  if (vary === undefined) return callerFields.join(', ');
  const names = fieldNames(vary);
  return [vary, ...callerFields.filter((name) => !names.includes(name.toLowerCase()))].join(', ');
}

/** Returns a stored response as the reply to one request, or a 304 when the caller already has it. */
export function replyOf(request: IncomingHttpHeaders, stored: StoredResponse, age: number | undefined, nowMs: number) {
  const headers = age === undefined ? stored.headers : { ...stored.headers, Age: String(age) };
  const { status, bytes, contentType } = stored;
  if (isConditional(request) && status === 200 && isNotModified(request, headers, nowMs)) {
    return notModified(headers, contentType, bytes.length);
  }
  return { status, raw: bytes, contentType, headers, isRepeated: true };
}

function isConditional(request: IncomingHttpHeaders): boolean {
  return request['if-none-match'] !== undefined || request['if-modified-since'] !== undefined;
}

export function ageOfStored({ bornMs }: StoredResponse, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - bornMs) / 1_000));
}

/** Returns the Age for the caller that fetched a response: none unless the upstream sent one. */
export function arrivalAge(headers: ReplyHeaders, stored: StoredResponse, nowMs: number): number | undefined {
  return headers.Age === undefined ? undefined : Math.max(ageSeconds(headers), ageOfStored(stored, nowMs));
}

/** Returns the reply for a response that is not stored. */
export function passOn(
  policy: ReplyPolicy,
  request: IncomingHttpHeaders,
  reply: Reply,
  isStorable: boolean,
  nowMs: number,
): Reply {
  const headers = leavingHeaders(policy, normalizeFields(reply.headers), isStorable);
  const mayBe304 = reply.status === 200 && request.range === undefined && isConditional(request);
  if (mayBe304 && isNotModified(request, headers, nowMs)) {
    discard(reply);
    return notModified(headers, 'raw' in reply ? reply.contentType : 'application/json', undefined);
  }
  return { ...reply, headers };
}

export function discard(reply: Reply): void {
  if ('raw' in reply && reply.raw instanceof Readable) reply.raw.destroy();
}

/** Returns a 304 with the fields of RFC 9110 §15.4.5. The server does not send its type and length. */
function notModified(headers: ReplyHeaders, contentType: string | undefined, length: number | undefined): RawReply {
  const sent: Record<string, ReplyHeaders[string]> = {};
  for (const name of notModifiedFields) {
    const value = headers[name];
    if (value !== undefined) sent[name] = value;
  }
  if (length !== undefined) sent['Content-Length'] = String(length);
  return { status: 304, raw: '', contentType, headers: sent };
}

const notModifiedFields = [
  ...['Age', 'Cache-Control', 'Content-Location', 'Date', 'ETag', 'Expires', 'Last-Modified', 'Vary'],
];
