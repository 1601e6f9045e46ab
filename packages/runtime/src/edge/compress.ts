import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Coding } from './content-coding.ts';

/** Below this nothing is gained: the answer fits into one packet as it is. */
export const compressedFromBytes = 1024;

/** Up to here compressing takes less than half a millisecond, and less than handing it to another thread. */
const inPlaceBytesMax = 64 * 1024;

const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip);
const {
  BROTLI_OPERATION_FLUSH,
  BROTLI_PARAM_LGWIN,
  BROTLI_PARAM_QUALITY,
  BROTLI_PARAM_SIZE_HINT,
  BROTLI_MIN_WINDOW_BITS,
  Z_SYNC_FLUSH,
} = zlib.constants;

// The highest levels that cost little: one more each takes twice the time for a twentieth of the length.
const brotliQuality = 4;
const gzipLevel = 4;
/** 256 KiB: a stream's memory stays small. */
const brotliWindowBitsMax = 18;

/** Compresses a whole body; a long one on another thread. */
export function compressBytes(bytes: Uint8Array, coding: Coding): Buffer | Promise<Buffer> {
  const isShort = bytes.length <= inPlaceBytesMax;
  if (coding === 'gzip') {
    const options = { level: gzipLevel };
    return isShort ? zlib.gzipSync(bytes, options) : gzip(bytes, options);
  }
  const options = brotliOptions(brotliQuality, bytes.length, brotliWindowBitsMax);
  return isShort ? zlib.brotliCompressSync(bytes, options) : brotli(bytes, options);
}

function brotliOptions(quality: number, length: number, windowBitsMax: number): zlib.BrotliOptions {
  const windowBits = Math.min(windowBitsMax, Math.max(BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(length))));
  return {
    params: {
      [BROTLI_PARAM_QUALITY]: quality,
      [BROTLI_PARAM_SIZE_HINT]: length,
      [BROTLI_PARAM_LGWIN]: windowBits,
    },
  };
}

/** What is stored with bytes that are sent again and again. */
interface CompressedCopies {
  readonly byCoding: Map<Coding, Promise<Buffer>>;
  wasAsked: boolean;
  /** Length of those that are ready. */
  length: number;
  onGrown: ((bytes: number) => void) | undefined;
}

const storedCopies = new WeakMap<Uint8Array, CompressedCopies>();

function copiesOf(bytes: Uint8Array): CompressedCopies {
  let copies = storedCopies.get(bytes);
  if (copies === undefined) {
    copies = { byCoding: new Map(), wasAsked: false, length: 0, onGrown: undefined };
    storedCopies.set(bytes, copies);
  }
  return copies;
}

/** Calls back with the length of each compressed copy stored with these bytes, so that a memory bound counts it. */
export function observeCompressed(bytes: Uint8Array, onGrown: (bytes: number) => void): void {
  const copies = copiesOf(bytes);
  copies.onGrown = onGrown;
  if (copies.length > 0) onGrown(copies.length);
}

/** Compresses bytes that are likely to be sent again: from the second time on harder, once, and stores the result. */
export function compressKept(bytes: Uint8Array, coding: Coding): Buffer | Promise<Buffer> {
  const copies = copiesOf(bytes);
  if (!copies.wasAsked) {
    copies.wasAsked = true;
    return compressBytes(bytes, coding);
  }
  let compressed = copies.byCoding.get(coding);
  if (compressed === undefined) {
    compressed = coding === 'gzip' ? gzip(bytes, { level: 9 }) : brotli(bytes, brotliOptions(9, bytes.length, 22));
    copies.byCoding.set(coding, compressed);
    compressed.then(
      ({ length }) => {
        copies.length += length;
        copies.onGrown?.(length);
      },
      () => {},
    );
  }
  return compressed;
}

/** A stage that compresses a stream and holds nothing back: what was written comes out before more is written. */
export function createCompressor(coding: Coding): Transform {
  if (coding === 'gzip') return zlib.createGzip({ level: gzipLevel, flush: Z_SYNC_FLUSH });
  return zlib.createBrotliCompress({
    flush: BROTLI_OPERATION_FLUSH,
    params: { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_LGWIN]: brotliWindowBitsMax },
  });
}
