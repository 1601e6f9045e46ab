import { Transform } from 'node:stream';

/**
 * The same bytes, for a body whose end is told by nothing but the end of its connection (RFC 9112 §6.3): one that does
 * not end like an object or an array was cut off, and fails with `createFault` in place of ending.
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

/** Whether bytes end like an object or an array. */
export function endsLikeJson(bytes: Buffer): boolean {
  return isClosing(lastByteOf(bytes));
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d;
}

/** The last one that is no space. */
function lastByteOf(bytes: Buffer): number | undefined {
  let end = bytes.length - 1;
  while (end >= 0 && isSpace(bytes[end] as number)) end--;
  return bytes[end];
}

/** Of JSON (RFC 8259 §2). */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
