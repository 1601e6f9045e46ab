import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import type { ReadSoFar } from './shared-stream.ts';

/**
 * What follows, in an answer that was asked for once more, after the bytes that a reader has had already.
 * @throws Problem, at once or in the stream, when the answer is another one by now: the two must not be mixed.
 */
export function restOfAnswer(first: RawReply, again: RawReply, soFar: ReadSoFar): Readable {
  const isSame =
    again.status === first.status &&
    again.contentType === first.contentType &&
    comparedHeaders.every((name) => again.headers?.[name] === first.headers?.[name]);
  const raw = again.raw instanceof Readable ? again.raw : Readable.from([Buffer.from(again.raw)]);
  if (!isSame) {
    raw.destroy();
    throw changed();
  }
  return Readable.from(skip(raw, soFar), { objectMode: false });
}

const comparedHeaders = ['ETag', 'Last-Modified', 'Content-Length', 'OData-Version', 'Preference-Applied'] as const;

async function* skip(raw: AsyncIterable<Buffer>, { bytes, digest }: ReadSoFar): AsyncGenerator<Buffer> {
  const known = createHash('sha256');
  let left = bytes;
  for await (const chunk of raw) {
    if (left === 0) {
      yield chunk;
      continue;
    }
    const length = Math.min(left, chunk.length);
    known.update(chunk.subarray(0, length));
    left -= length;
    if (left > 0) continue;
    if (!known.digest().equals(digest)) throw changed();
    if (chunk.length > length) yield chunk.subarray(length);
  }
  if (left > 0) throw changed();
}

function changed(): Problem {
  return new Problem('upstream_failed', 'The answer changed while it was read. Read it again.');
}
