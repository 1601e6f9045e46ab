import { pipeline, Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { createElementRewriter, createElementStream } from './element-rewriter.ts';

/** A list with each of its objects rewritten: one at a time while it streams, however long it is. */
export function rewriteList(reply: RawReply, rewrite: (element: unknown) => unknown): RawReply {
  const rewriter = createElementRewriter({ rewrite });
  const { 'Content-Length': _length, ETag: _tag, ...headers } = reply.headers ?? {};
  const { raw } = reply;
  if (raw instanceof Readable) {
    // A failure on either side ends the other, and is told by the end that is read.
    return { ...reply, headers, raw: pipeline(raw, createElementStream(rewriter), () => {}) };
  }
  try {
    const bytes = rewriter.write(Buffer.from(raw));
    rewriter.end();
    return { ...reply, headers, raw: bytes };
  } catch (cause) {
    const detail = `The upstream answered ${reply.status} with a body that is no JSON of the contract.`;
    // A parser's message quotes what it read.
    throw new Problem('upstream_failed', detail, cause instanceof SyntaxError ? {} : { cause });
  }
}
