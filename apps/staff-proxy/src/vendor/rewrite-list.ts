import { pipeline, Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { notTheContract, rethrowAsBrokenOff } from '../broken-answer.ts';
import { firstByteOf, peekFirstByte } from '../first-byte.ts';
import { createElementRewriter, createElementStream } from './element-rewriter.ts';

/**
 * A list with each of its objects rewritten: one at a time while it streams, however long it is. An envelope is called one,
 * whatever its upstream called it.
 */
export async function rewriteList(reply: RawReply, rewrite: (element: unknown) => unknown): Promise<RawReply> {
  const rewriter = createElementRewriter({ rewrite });
  const { 'Content-Length': _length, ETag: _tag, ...headers } = reply.headers ?? {};
  const { status, raw } = reply;
  if (raw instanceof Readable) {
    const first = await peekFirstByte(raw).catch(rethrowAsBrokenOff(status));
    const contentType = typeOf(first, reply);
    // A failure on either side ends the other, and is told by the end that is read.
    return { status, contentType, headers, raw: pipeline(raw, createElementStream(rewriter), () => {}) };
  }
  try {
    const bytes = Buffer.from(raw);
    const rewritten = rewriter.write(bytes);
    rewriter.end();
    return { status, contentType: typeOf(firstByteOf(bytes), reply), headers, raw: rewritten };
  } catch (cause) {
    // A parser's message quotes what it read.
    throw notTheContract(status, cause instanceof SyntaxError ? undefined : cause);
  }
}

function typeOf(first: number | undefined, { contentType }: RawReply): string | undefined {
  return first === 0x7b ? 'application/json;odata.metadata=minimal' : contentType;
}
