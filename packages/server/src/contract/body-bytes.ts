import type { IncomingMessage } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Problem } from '../problem/index.ts';
import { announcedLength } from './request-head.ts';

/**
 * Returns the body of a request, decoded from its Content-Encoding. Rejects on the first fault without reading on:
 * before the body where Content-Length exceeds the limit, otherwise with the chunk that does.
 */
export async function readBodyBytes(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const announced = announcedLength(req);
  if (announced !== undefined && announced > bytesMax) throw bodyTooLarge(bytesMax);
  if (req.readableEnded) throw new Error(alreadyRead);
  const decoder = createDecoder(req.headers['content-encoding']);
  try {
    return await collect(req, decoder, bytesMax);
  } finally {
    if (decoder !== undefined) {
      req.unpipe(decoder);
      decoder.on('error', ignore).destroy();
      // Discards bytes after the end of the encoded content.
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
      else encoded.push(chunk);
    };
    const encoded: Buffer[] = [];
    if (decoder !== undefined) (req as { [encodedChunks]?: readonly Buffer[] })[encodedChunks] = encoded;
    const onEnd = () => settle();
    // A fully read request may close while its body is still being decoded.
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
const alreadyRead = 'The body of the request has been read already.';
const encodedChunks = Symbol('chunks of the encoded body');

/** Returns the still encoded bytes of a body with a Content-Encoding; a client's digest covers these. */
export function encodedBytesOf(req: IncomingMessage): Buffer | undefined {
  const chunks = (req as { [encodedChunks]?: readonly Buffer[] })[encodedChunks];
  return chunks && Buffer.concat(chunks);
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

/** The body of a request whose operation accepts any media type: a stream for the handler, within the body limit. */
export class UnreadBody {
  readonly #req: IncomingMessage;
  readonly #bytesMax: number;
  #isUntouched = true;
  #readAtMs: number | undefined;

  /** @throws Problem `body_too_large` when Content-Length exceeds the limit. */
  constructor(req: IncomingMessage, bytesMax: number) {
    this.#req = req;
    this.#bytesMax = bytesMax;
    if ((this.length ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  }

  /** Whether no byte has been read yet. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /** When bytes were last read, on the clock of `performance.now`; undefined before the first. */
  get readAtMs(): number | undefined {
    return this.#readAtMs;
  }

  /** The value of Content-Length; undefined for a body in chunks. */
  get length(): number | undefined {
    return announcedLength(this.#req);
  }

  /**
   * Opens the body as a stream that fails without the request, so that the request can still be responded to. Fails
   * with `body_too_large` above the limit. Another stream can be opened until one is read.
   */
  open(): Readable {
    const req = this.#req;
    let isAttached = false;
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      this.#readAtMs = performance.now();
      bytes += chunk.length;
      if (bytes > this.#bytesMax) body.destroy(bodyTooLarge(this.#bytesMax));
      else if (!body.push(chunk)) req.pause();
    };
    const onEnd = () => body.push(null);
    const onError = (error: Error) => body.destroy(error);
    const onClose = () => {
      if (!req.readableEnded) body.destroy(bodyBrokenOff());
    };
    const body = new Readable({
      read: () => {
        if (!isAttached) {
          if (!this.#isUntouched || req.readableDidRead) {
            body.destroy(new Error(alreadyRead));
            return;
          }
          isAttached = true;
          this.#isUntouched = false;
          req.on('data', onData).once('end', onEnd).once('error', onError).once('close', onClose);
          onRequestFault(req, onError);
          if (req.destroyed && !req.readableEnded) body.destroy(bodyBrokenOff());
        }
        req.resume();
      },
      destroy: (error, done) => {
        if (isAttached) {
          req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
          // The server drains the rest of the body, within bounds.
          if (req.readableEnded) req.resume();
          else req.pause();
        }
        done(error);
      },
    });
    return body;
  }
}

/** Emitted on a request, with the `Problem`, when the rest of its body is late or malformed. */
const requestFault = Symbol('request fault');

/** Calls back when the rest of a body that is being read is late or malformed. */
function onRequestFault(req: IncomingMessage, listener: (problem: Problem) => void): void {
  req.once(requestFault, listener);
}

/** Reports a fault to the reader of the body; returns false when the body is not being read. */
export function reportRequestFault(req: IncomingMessage, problem: Problem): boolean {
  return req.emit(requestFault, problem);
}

export function bodyTooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', `Send at most ${bytesMax} bytes.`, { headers: { Connection: 'close' } });
}

function bodyBrokenOff(): Problem {
  return new Problem('malformed_request', 'The length of the body differs from Content-Length.');
}
