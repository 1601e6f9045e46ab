import type { IncomingHttpHeaders } from 'node:http';
import type { ReplyHeaders } from '../contract/index.ts';
import { parseHttpDate } from './http-date.ts';
import { textOf } from './reply-fields.ts';

/**
 * Whether the caller has this 200 response already (RFC 9110 §13.2.2): If-None-Match first, else If-Modified-Since,
 * which is compared with Last-Modified or, without one, with Date (RFC 9111 §4.3.2).
 */
export function isNotModified(request: IncomingHttpHeaders, headers: ReplyHeaders, nowMs: number): boolean {
  const wanted = request['if-none-match'];
  if (wanted !== undefined) {
    if (wanted.trim() === '*') return true;
    const etag = textOf(headers, 'ETag');
    // A tag without quotes is invalid, but the caller has it from the upstream all the same.
    if (wanted === etag) return true;
    return etag !== undefined && [...wanted.matchAll(entityTag)].some(([tag]) => isSameTag(tag, etag));
  }
  if (request['if-modified-since'] === undefined) return false;
  const sinceMs = parseHttpDate(request['if-modified-since'], nowMs);
  const modifiedMs = parseHttpDate(textOf(headers, 'Last-Modified') ?? textOf(headers, 'Date'), nowMs);
  return sinceMs !== undefined && modifiedMs !== undefined && modifiedMs <= sinceMs;
}

/** Returns the conditions of a validation: every validator that the upstream sent (RFC 9111 §4.3.1). */
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

/** Weak comparison (RFC 9110 §8.8.3.2): a coding on the way may have weakened a tag. */
function isSameTag(a: string, b: string): boolean {
  return opaque(a) === opaque(b);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
