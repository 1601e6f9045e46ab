import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Problem } from '../problem/index.ts';
import { onRequestFault } from './request-fault.ts';

/**
 * Returns the body of a request, decoded from its Content-Encoding. It rejects as soon as it knows of a fault, without
 * reading on: before the body where Content-Length is over the limit, otherwise with the chunk that passes the limit.
 */
export async function readBodyBytes(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const announced = announcedLength(req);
  if (announced !== undefined && announced > bytesMax) throw bodyTooLarge(bytesMax);
  if (req.readableEnded) throw new Error('The body of the request was read before.');
  const decoder = createDecoder(req.headers['content-encoding']);
  try {
    return await collect(req, decoder, bytesMax);
  } finally {
    if (decoder !== undefined) {
      req.unpipe(decoder);
      decoder.on('error', ignore).destroy();
      // Bytes behind the end of the encoded content.
      req.resume();
    }
  }
}

function collect(req: IncomingMessage, decoder: Transform | undefined, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const source = decoder ?? req;
    const chunks: Buffer[] = [];
    let length = 0;
    let sent = 0;
    const settle = (error?: unknown) => {
      source.off('data', onData).off('end', onEnd);
      if (decoder !== undefined) req.off('data', onSent);
      req.off('error', onBrokenOff).off('close', onBrokenOff);
      if (error === undefined) resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
      else {
        req.pause();
        reject(error);
      }
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) settle(bodyTooLarge(bytesMax));
      else chunks.push(chunk);
    };
    const onSent = (chunk: Buffer) => {
      sent += chunk.length;
      if (sent > bytesMax) settle(bodyTooLarge(bytesMax));
      else received.push(chunk);
    };
    const received: Buffer[] = [];
    if (decoder !== undefined) (req as { [receivedChunks]?: readonly Buffer[] })[receivedChunks] = received;
    const onEnd = () => settle();
    // A request that was read to its end closes while its body is still decoded.
    const onBrokenOff = () => {
      if (!req.readableEnded) settle(bodyBrokenOff());
    };
    onRequestFault(req, settle);
    req.on('error', onBrokenOff).on('close', onBrokenOff);
    source.on('data', onData).on('end', onEnd);
    if (decoder !== undefined) {
      decoder.on('error', (cause) => {
        settle(new Problem('malformed_request', 'The body could not be decoded from its Content-Encoding.', { cause }));
      });
      req.on('data', onSent).pipe(decoder);
    }
    if (req.destroyed) onBrokenOff();
  });
}

const ignore = () => {};

const receivedChunks = Symbol('chunks of the body as they came');

/**
 * Returns the bytes of a body that was read with a Content-Encoding, still encoded: a digest of the client is about
 * these. Returns undefined for other bodies.
 */
export function encodedBytesOf(req: IncomingMessage): Buffer | undefined {
  const chunks = (req as { [receivedChunks]?: readonly Buffer[] })[receivedChunks];
  return chunks && Buffer.concat(chunks);
}

/** The value of Content-Length; undefined where only the end of the body shows its length. */
export function announcedLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function createDecoder(encoding = 'identity'): Transform | undefined {
  switch (encoding.toLowerCase()) {
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new Problem('encoding_unsupported', 'Send the body plain, or with Content-Encoding gzip, deflate or br.');
  }
}

export function bodyTooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', `Send at most ${bytesMax} bytes.`, { headers: { Connection: 'close' } });
}

export function bodyBrokenOff(): Problem {
  return new Problem('malformed_request', 'The body did not have the length that Content-Length announced.');
}
