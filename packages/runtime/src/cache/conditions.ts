import type { IncomingHttpHeaders } from 'node:http';

/** What tells one state of an answer from another. */
export interface Validators {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** Whether the caller has this answer already (RFC 9110 §13.2.2): If-None-Match first, else If-Modified-Since. */
export function isNotModified(request: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const wanted = request['if-none-match'];
  if (wanted !== undefined) {
    if (wanted.trim() === '*') return true;
    return etag !== undefined && [...wanted.matchAll(entityTag)].some(([tag]) => opaque(tag) === opaque(etag));
  }
  const since = Date.parse(request['if-modified-since'] ?? '');
  const changed = Date.parse(lastModified ?? '');
  return !Number.isNaN(since) && !Number.isNaN(changed) && changed <= since;
}

/** Asks an upstream whether what is kept still stands. */
export function conditionsFor({ etag, lastModified }: Validators): Record<string, string> {
  if (etag !== undefined) return { 'If-None-Match': etag };
  return lastModified === undefined ? {} : { 'If-Modified-Since': lastModified };
}

const entityTag = /(?:W\/)?"[^"]*"/g;

/** Weak comparison (RFC 9110 §8.8.3.2). */
function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
