import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { rethrowAsBrokenOff } from '../broken-answer.ts';
import { firstByteOf, peekFirstByte } from '../first-byte.ts';
import { rewriteBytes, rewriteStream } from '../upstream/json-body.ts';
import type { StaffCall } from '../staff-call.ts';
import { createElementRewriter } from './element-rewriter.ts';
import { ownMember } from './own-links.ts';

/**
 * A list with each of its objects rewritten: one at a time while it streams, however long it is. An envelope is called one,
 * whatever its upstream called it.
 */
export async function rewriteList(
  reply: RawReply,
  call: StaffCall,
  rewrite: (element: unknown) => unknown,
): Promise<RawReply> {
  const rewriter = createElementRewriter({ rewrite, rewriteMember: (name, value) => ownMember(call, name, value) });
  const { 'Content-Length': _length, ETag: _tag, ...headers } = reply.headers ?? {};
  const { status, raw } = reply;
  if (raw instanceof Readable) {
    const rewritten = rewriteStream(raw, rewriter, status);
    // Only what has been rewritten tells an envelope from an object that is none.
    const first = await peekFirstByte(rewritten).catch(rethrowAsBrokenOff(status));
    return { status, contentType: typeOf(first, reply), headers, raw: rewritten };
  }
  const rewritten = rewriteBytes(Buffer.from(raw), rewriter, status);
  return { status, contentType: typeOf(firstByteOf(rewritten), reply), headers, raw: rewritten };
}

function typeOf(first: number | undefined, { contentType }: RawReply): string | undefined {
  return first === 0x7b ? 'application/json;odata.metadata=minimal' : contentType;
}
