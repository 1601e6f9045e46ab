import { pipeline, type Readable, Transform } from 'node:stream';
import { notTheContract } from '../upstream/upstream-problem.ts';

/** Rewrites JSON text while it streams; throws when the text is malformed or incomplete. */
export interface JsonRewriter {
  write(chunk: Buffer): Buffer;
  end(): void;
}

/**
 * Returns a body rewritten as it streams. A failure of either stream ends the other. The rewriter's own error becomes a
 * 502 without its message, which may quote the text.
 */
export function rewriteStream(raw: Readable, { write, end }: JsonRewriter, status: number): Readable {
  const rewriting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rewritten: Buffer;
      try {
        rewritten = write(chunk);
      } catch {
        done(notTheContract(status));
        return;
      }
      done(null, rewritten);
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

/** Returns a whole body rewritten. @throws Problem 502. */
export function rewriteBytes(bytes: Buffer, { write, end }: JsonRewriter, status: number): Buffer {
  try {
    const rewritten = write(bytes);
    end();
    return rewritten;
  } catch {
    throw notTheContract(status);
  }
}
