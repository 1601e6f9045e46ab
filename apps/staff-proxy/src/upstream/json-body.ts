import { pipeline, type Readable, Transform } from 'node:stream';
import { notTheContract } from '../broken-answer.ts';

/** What changes JSON while it comes, and says at the end whether there was all of it. */
export interface TextRewriter {
  write(chunk: Buffer): Buffer;
  end(): void;
}

/**
 * A body rewritten on its way. A failure on either side ends the other, and is reported by the end that is read: a fault of
 * the rewriter as a 502, for its message may quote what it read.
 */
export function rewriteStream(raw: Readable, { write, end }: TextRewriter, status: number): Readable {
  const rewriting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let left: Buffer;
      try {
        left = write(chunk);
      } catch {
        done(notTheContract(status));
        return;
      }
      done(null, left);
    },
    flush(done) {
      try {
        end();
      } catch {
        done(notTheContract(status));
        return;
      }
      done();
    },
  });
  return pipeline(raw, rewriting, () => {});
}

/** The same of a body that is there as a whole. @throws Problem 502. */
export function rewriteBytes(bytes: Buffer, { write, end }: TextRewriter, status: number): Buffer {
  try {
    const left = write(bytes);
    end();
    return left;
  } catch {
    throw notTheContract(status);
  }
}
