import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { RawReply, Reply, ReplyHeaders } from '../contract/index.ts';
import { toPrivateCacheControl } from './cache-control.ts';
import type { StoredResponse } from './cache-store.ts';
import { isNotModified } from './conditions.ts';
import { fieldNames, normalizeFields, textOf, withoutFields } from './reply-fields.ts';
import { ageSeconds, dateOf, type Lifetime } from './storability.ts';

/** What decides how a response leaves, beside the response itself. */
export interface ReplyPolicy {
  readonly secondsDefault: number;
  /** The response is for this caller alone: no cache in between may give it to another. */
  readonly isPrivate: boolean;
  /** The response may differ for a caller with another key, or with none. */
  readonly variesByCaller: boolean;
  /** The reply is made in this process, not by an upstream: an ETag and a max-age may be added to it. */
  readonly isOrigin: boolean;
}

/** A whole response, as it arrived. */
export interface ReceivedReply {
  readonly status: number;
  readonly contentType: string | undefined;
  /** As `normalizeFields` returns them, with a Date. */
  readonly headers: ReplyHeaders;
}

/** Returns a reply with normalized headers, and the time of receipt where its Date is missing or invalid. */
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
  const { Age: _, 'Content-Length': __, ...said } = headers;
  const leaving = leavingHeaders(policy, said, true);
  const hasOwnTag = policy.isOrigin && status === 200 && said.ETag === undefined;
  return {
    status,
    contentType,
    said,
    headers: hasOwnTag ? { ...leaving, ETag: weakTagOf(bytes) } : leaving,
    bytes,
    bornMs: nowMs - ageMs,
    freshUntilMs: nowMs + freshMs,
    ...{ mayBeStale, staleWhileRevalidateMs, staleIfErrorMs },
  };
}

/** Weak: the same response may leave in another coding. */
function weakTagOf(bytes: Buffer): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** Returns the headers of a stored response with those of a 304 in their place (RFC 9111 §3.2 and §4.3.4). */
export function freshenedHeaders(stored: StoredResponse, update: ReplyHeaders): ReplyHeaders {
  return { ...stored.said, ...withoutFields(update, describesBytes) };
}

/** The stored bytes stay as they are, so the fields that describe them do as well. */
const describesBytes = ['content-encoding', 'content-length', 'content-range', 'content-type'];

/**
 * Returns the headers as they leave: with what the upstream says of caching, nothing invented. A response that may be
 * reused and says nothing leaves without Cache-Control, not with the `no-store` of other responses.
 */
export function leavingHeaders(policy: ReplyPolicy, headers: ReplyHeaders, isStorable: boolean): ReplyHeaders {
  const { isPrivate, variesByCaller, isOrigin, secondsDefault } = policy;
  const said = textOf(headers, 'Cache-Control');
  const unsaid = headers.Expires !== undefined || (isStorable && !isOrigin) ? '' : undefined;
  const open = said ?? unsaid ?? (isStorable ? `max-age=${secondsDefault}` : undefined);
  const leaving = isPrivate && open !== undefined ? toPrivateCacheControl(open) : open;
  if (leaving === said && !variesByCaller) return headers;
  const vary = variesByCaller ? { Vary: withCallerFields(textOf(headers, 'Vary')) } : {};
  return { ...headers, ...(leaving === undefined ? {} : { 'Cache-Control': leaving }), ...vary };
}

/** The request headers that bring a key. */
const callerFields = ['Authorization', 'X-API-Key'];

function withCallerFields(vary: string | undefined): string {
  if (vary === undefined) return callerFields.join(', ');
  const names = fieldNames(vary);
  return [vary, ...callerFields.filter((name) => !names.includes(name.toLowerCase()))].join(', ');
}

/** Returns a stored response as the reply to one request, or a 304 when the caller has it already. */
export function replyOf(request: IncomingHttpHeaders, stored: StoredResponse, age: number | undefined, nowMs: number) {
  const headers = age === undefined ? stored.headers : { ...stored.headers, Age: String(age) };
  const { status, bytes, contentType } = stored;
  if (isConditional(request) && status === 200 && isNotModified(request, headers, nowMs)) {
    return notModified(headers, contentType, bytes.length);
  }
  return { status, raw: bytes, contentType, headers, isKept: true };
}

function isConditional(request: IncomingHttpHeaders): boolean {
  return request['if-none-match'] !== undefined || request['if-modified-since'] !== undefined;
}

export function ageOfStored({ bornMs }: StoredResponse, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - bornMs) / 1_000));
}

/** Returns the Age that a response leaves with on arrival: none unless the upstream sent one. */
export function arrivalAge(headers: ReplyHeaders, stored: StoredResponse, nowMs: number): number | undefined {
  return headers.Age === undefined ? undefined : Math.max(ageSeconds(headers), ageOfStored(stored, nowMs));
}

/** Returns a response that is not stored as it leaves to the caller who asked for it. */
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

/** RFC 9110 §15.4.5: the fields that a cache goes by. Type and length do not leave: they tell the coding of the 200. */
function notModified(headers: ReplyHeaders, contentType: string | undefined, length: number | undefined): RawReply {
  const kept: Record<string, ReplyHeaders[string]> = {};
  for (const name of notModifiedFields) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  if (length !== undefined) kept['Content-Length'] = String(length);
  return { status: 304, raw: '', contentType, headers: kept };
}

const notModifiedFields = [
  ...['Age', 'Cache-Control', 'Content-Location', 'Date', 'ETag', 'Expires', 'Last-Modified', 'Vary'],
];
