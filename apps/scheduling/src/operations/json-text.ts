import type { RawReply, ReplyHeaders } from '@rostergate/runtime/contract';

/** A reply whose JSON the database has put together. */
export function jsonText(raw: string, status = 200, headers: ReplyHeaders = {}): RawReply {
  return { status, raw, contentType: 'application/json', headers };
}
