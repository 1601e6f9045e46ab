import type { IncomingHttpHeaders } from 'node:http';
import type { RawReply } from '../contract/index.ts';
import { textOf } from './reply-fields.ts';

type WholeReply = RawReply & { readonly raw: Uint8Array };

/**
 * Returns the part of a whole response that a request asks for (RFC 9110 §14.2), the whole when If-Range names another
 * version, and undefined for what only the upstream can answer: several ranges, or another unit.
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
    // What the 200 says of caching is not said of this.
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
