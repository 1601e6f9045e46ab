import { pipeline, type Readable, Transform } from 'node:stream';
import { Problem } from '@rostergate/server/problem';

export const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
export const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Whether a byte is JSON whitespace (RFC 8259 §2). */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether a JSON document of the contract starts with this byte: each is an object or an array. */
export function isOpening(byte: number | undefined): boolean {
  return byte === openBrace || byte === openBracket;
}

/** Whether bytes end like an object or an array. */
export function endsLikeJson(bytes: Buffer): boolean {
  return isClosing(lastByteOf(bytes));
}

function isClosing(byte: number | undefined): boolean {
  return byte === closeBrace || byte === closeBracket;
}

/** Returns the first byte that is not whitespace. */
export function firstByteOf(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !isSpace(byte));
}

function lastByteOf(bytes: Buffer): number | undefined {
  let end = bytes.length - 1;
  while (end >= 0 && isSpace(bytes[end] as number)) end--;
  return bytes[end];
}

/** How much whitespace `peekFirstByte` skips. */
const spaceBytesMax = 64 * 1024;

/** Returns the first byte of a stream that is not whitespace, without consuming any; undefined if none comes early. */
export function peekFirstByte(body: Readable): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const taken: Buffer[] = [];
    let takenBytes = 0;
    const settle = (finish: () => void) => {
      body.off('readable', look).off('end', end).off('error', fail);
      finish();
    };
    const look = () => {
      for (let chunk: Buffer | null = body.read(); chunk !== null; chunk = body.read()) {
        const first = firstByteOf(chunk);
        taken.push(chunk);
        takenBytes += chunk.length;
        if (first === undefined && takenBytes < spaceBytesMax) continue;
        return settle(() => {
          body.unshift(taken.length === 1 ? chunk : Buffer.concat(taken));
          resolve(first);
        });
      }
    };
    const end = () => settle(() => resolve(undefined));
    const fail = (cause: unknown) => settle(() => reject(cause));
    body.on('readable', look).on('end', end).on('error', fail);
  });
}

/**
 * Returns a transform that passes bytes unchanged and fails with `createFault` when they do not end like JSON. For a body
 * that ends with its connection (RFC 9112 §6.3), where a cut looks like an end.
 */
export function createEndCheck(createFault: () => Error): Transform {
  let last: number | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      last = lastByteOf(chunk) ?? last;
      done(null, chunk);
    },
    flush(done) {
      done(isClosing(last) ? null : createFault());
    },
  });
}

/** Returns all chunks of a body. Rejects with `createFault()` beyond `bytesMax`. */
export async function readBytes(body: Readable, bytesMax: number, createFault: () => Error): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) throw createFault();
  }
  return chunks;
}

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

/** Returns the problem for a response that broke off. */
export function brokeOff(status: number, cause?: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return new Problem('upstream_failed', `The upstream answered ${status} and broke off. Try again.`, { cause });
}

/** Returns a rejection handler that throws `brokeOff`. */
export function rethrowAsBrokenOff(status: number): (cause: unknown) => never {
  return (cause) => {
    throw brokeOff(status, cause);
  };
}

/** Returns the problem for a response that is not the contract's JSON. */
export function notTheContract(status: number, cause?: unknown): Problem {
  const detail = `The upstream answered ${status} with a body that is not JSON of the contract.`;
  return new Problem('upstream_failed', detail, { cause });
}
