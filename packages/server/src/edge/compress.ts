import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import Negotiator from 'negotiator';

/** The content codings of responses, the preferred one first. */
const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** The result of a client's `Accept-Encoding` (RFC 9110 §12.5.3). */
export interface AcceptedCoding {
  /** The coding to compress with; undefined to send the response uncompressed. */
  readonly coding: Coding | undefined;
  /** The client rejects uncompressed responses, however short they are. */
  readonly isPlainRejected: boolean;
}

/** For clients that accept no coding. */
export const plainOnly: AcceptedCoding = Object.freeze({ coding: undefined, isPlainRejected: false });

/** Longer headers are ignored. */
const headerLengthMax = 512;
const cachedMax = 256;
const acceptedByHeader = new Map<string, AcceptedCoding>();

/** Returns what an `Accept-Encoding` accepts. Results are cached by header text: clients send few different ones. */
export function acceptedCoding(header: string): AcceptedCoding {
  let accepted = acceptedByHeader.get(header);
  if (accepted === undefined) {
    if (header.length > headerLengthMax) return plainOnly;
    accepted = readHeader(header);
    if (acceptedByHeader.size >= cachedMax) acceptedByHeader.clear();
    acceptedByHeader.set(header, accepted);
  }
  return accepted;
}

function readHeader(header: string): AcceptedCoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as EncodingNegotiator;
  const acceptable = negotiator.encodings([...codings, 'identity'], { preferred: codings });
  const [first] = acceptable;
  return Object.freeze({
    coding: codings.find((coding) => coding === first),
    isPlainRejected: !acceptable.includes('identity'),
  });
}

/** The library's method; its published types describe an older version. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

/** Text formats. Images (but SVG), fonts, archives and videos are compressed already. */
const compressible =
  /^(?:text\/|image\/svg\+xml|application\/(?:json|javascript|xml|yaml|x-yaml|x-ndjson|ndjson|jsonl|graphql|sql|wasm|x-www-form-urlencoded)\b|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml|text)\b)/i;

/** Returns whether a body of this media type is worth compressing. */
export function isCompressibleType(contentType: string): boolean {
  return compressible.test(contentType);
}

/** A shorter response fits into one packet uncompressed. */
export const compressedFromBytes = 1024;

/** Compressing this much takes less than half a millisecond, and less than passing it to another thread. */
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

// The next level takes twice the time and saves a twentieth of the length.
const brotliQuality = 4;
const gzipLevel = 4;
/** 256 KiB, to bound the memory of a stream. */
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

/** The compressed copies of bytes that are sent repeatedly. */
interface CompressedCopies {
  readonly byCoding: Map<Coding, Promise<Buffer>>;
  wasRequested: boolean;
  /** Total length of the finished copies. */
  length: number;
  onGrown: ((bytes: number) => void) | undefined;
}

const storedCopies = new WeakMap<Uint8Array, CompressedCopies>();

function copiesOf(bytes: Uint8Array): CompressedCopies {
  let copies = storedCopies.get(bytes);
  if (copies === undefined) {
    copies = { byCoding: new Map(), wasRequested: false, length: 0, onGrown: undefined };
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

/** Compresses bytes that are sent repeatedly: from the second request on at a high level, once, storing the result. */
export function compressRepeated(bytes: Uint8Array, coding: Coding): Buffer | Promise<Buffer> {
  const copies = copiesOf(bytes);
  if (!copies.wasRequested) {
    copies.wasRequested = true;
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

/** Returns a transform that compresses a stream and flushes after each chunk. */
export function createCompressor(coding: Coding): Transform {
  if (coding === 'gzip') return zlib.createGzip({ level: gzipLevel, flush: Z_SYNC_FLUSH });
  return zlib.createBrotliCompress({
    flush: BROTLI_OPERATION_FLUSH,
    params: { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_LGWIN]: brotliWindowBitsMax },
  });
}
