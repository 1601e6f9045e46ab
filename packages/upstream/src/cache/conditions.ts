import type { IncomingHttpHeaders } from 'node:http';
import type { RawReply, ReplyHeaders } from '@rostergate/server';
import { textOf } from './fields.ts';
import { parseHttpDate } from './http-date.ts';

/**
 * Whether the caller already has this 200 response (RFC 9110 §13.2.2): If-None-Match first, else If-Modified-Since,
 * which is compared with Last-Modified or, without one, with Date (RFC 9111 §4.3.2).
 */
export function isNotModified(request: IncomingHttpHeaders, headers: ReplyHeaders, nowMs: number): boolean {
  const wanted = request['if-none-match'];
  if (wanted !== undefined) {
    if (wanted.trim() === '*') return true;
    const etag = textOf(headers, 'ETag');
    // A tag without quotes is invalid, but it is the one that the upstream sent.
    if (wanted === etag) return true;
    return etag !== undefined && [...wanted.matchAll(entityTag)].some(([tag]) => isSameTag(tag, etag));
  }
  if (request['if-modified-since'] === undefined) return false;
  const sinceMs = parseHttpDate(request['if-modified-since'], nowMs);
  const modifiedMs = parseHttpDate(textOf(headers, 'Last-Modified') ?? textOf(headers, 'Date'), nowMs);
  return sinceMs !== undefined && modifiedMs !== undefined && modifiedMs <= sinceMs;
}

/** Returns the conditions of a validation: every validator of the stored response (RFC 9111 §4.3.1). */
export function conditionsFor(headers: ReplyHeaders): Record<string, string> {
  const [etag, lastModified] = [textOf(headers, 'ETag'), textOf(headers, 'Last-Modified')];
  return {
    ...(etag === undefined ? {} : { 'If-None-Match': etag }),
    ...(lastModified === undefined ? {} : { 'If-Modified-Since': lastModified }),
  };
}

/** Whether the validators of a 304 or of a response to HEAD name the stored response (RFC 9111 §4.3.4 and §4.3.5). */
export function isSameVersion(stored: ReplyHeaders, update: ReplyHeaders): boolean {
  const [etag, storedTag] = [textOf(update, 'ETag'), textOf(stored, 'ETag')];
  if (etag !== undefined) return storedTag !== undefined && isSameTag(etag, storedTag);
  const [modified, storedModified] = [textOf(update, 'Last-Modified'), textOf(stored, 'Last-Modified')];
  return modified === undefined || modified === storedModified;
}

const entityTag = /(?:W\/)?"[^"]*"/g;

/** Compares weakly (RFC 9110 §8.8.3.2): a content coding may have weakened a tag. */
function isSameTag(a: string, b: string): boolean {
  return opaque(a) === opaque(b);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

type WholeReply = RawReply & { readonly raw: Uint8Array };

/**
 * Returns the requested range of a whole response (RFC 9110 §14.2), the whole when If-Range names another version, and
 * undefined for requests that only the upstream can answer: several ranges, or another unit.
 */
export function partOf(request: IncomingHttpHeaders, whole: WholeReply): RawReply | undefined {
  if (whole.status !== 200 || !isSameForRange(request['if-range'], whole)) return whole;
  const { length } = whole.raw;
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(request.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const { headers = {}, contentType } = whole;
  if (start >= length || end < start) {
    // The caching headers of the 200 do not apply to a 416.
    return { status: 416, raw: '', contentType, headers: { 'Content-Range': `bytes */${length}` } };
  }
  return {
    status: 206,
    raw: whole.raw.subarray(start, end + 1),
    contentType,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${length}` },
  };
}

/** If-Range compares strongly (RFC 9110 §13.1.5): a weak tag never matches. */
function isSameForRange(ifRange: string | string[] | undefined, { headers = {} }: WholeReply): boolean {
  if (ifRange === undefined) return true;
  return ifRange === textOf(headers, String(ifRange).includes('"') ? 'ETag' : 'Last-Modified') && !/^W\//.test(ifRange);
}
