import { Readable } from 'node:stream';
import { parseHttpDate } from '../cache/http-date.ts';

export interface UpstreamResponse {
  readonly status: number;
  /** By lower-case name; a repeated header is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Fails with a `Problem` when the upstream closes early or sends no data for too long. */
  readonly body: Readable;
}

/** The status and headers of a response. */
export type ResponseHead = Pick<UpstreamResponse, 'status' | 'headers'>;

export type OnInterim = (status: number, headers: UpstreamResponse['headers']) => void;

/** The outcome of one attempt. */
export type Outcome = { readonly response: UpstreamResponse } | { readonly error: unknown };

/** The sender of a response, as its reader uses it. */
export interface ResponseSource {
  pause(): void;
  resume(): void;
  /** The reader has ended: with the fault that ended it, if any. */
  release(fault: Error | undefined): void;
}

/** How many bytes are buffered before a reader starts; then the upstream waits. */
const unreadBytesMax = 64 * 1024;

/**
 * A response whose body is arriving. A short body mostly arrives with the head: it is then available as bytes, without a
 * stream.
 */
export class ArrivingResponse implements UpstreamResponse {
  readonly status: number;
  readonly headers: UpstreamResponse['headers'];
  readonly #source: ResponseSource;
  #chunks: Buffer[] = [];
  #unreadBytes = 0;
  #hasEnded = false;
  #fault: Error | undefined;
  #stream: Readable | undefined;
  #waiting: PromiseWithResolvers<Buffer> | undefined;

  constructor(status: number, headers: UpstreamResponse['headers'], source: ResponseSource) {
    this.status = status;
    this.headers = headers;
    this.#source = source;
  }

  get body(): Readable {
    this.#stream ??= this.#openStream();
    return this.#stream;
  }

  /** Returns all bytes, immediately if they have arrived; instead of `body`, whose destruction ends the wait. */
  whole(): Buffer | Promise<Buffer> {
    if (this.#stream !== undefined) throw new Error('The body is already read as a stream.');
    if (this.#hasEnded) return this.#takeBytes();
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    this.#waiting = Promise.withResolvers();
    this.#source.resume();
    return this.#waiting.promise;
  }

  /** Returns all bytes if they have arrived and are not empty; instead of `body`. */
  buffered(): Buffer | undefined {
    return this.#hasEnded && this.#stream === undefined && this.#unreadBytes > 0 ? this.#takeBytes() : undefined;
  }

  push(chunk: Buffer): void {
    if (this.#stream !== undefined && this.#waiting === undefined) {
      if (!this.#stream.push(chunk)) this.#source.pause();
      return;
    }
    this.#chunks.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#waiting === undefined && this.#unreadBytes > unreadBytesMax) this.#source.pause();
  }

  end(): void {
    this.#hasEnded = true;
    if (this.#waiting !== undefined) this.#waiting.resolve(this.#takeBytes());
    else this.#stream?.push(null);
  }

  fail(fault: Error): void {
    this.#fault = fault;
    this.#waiting?.reject(fault);
    this.#stream?.destroy(fault);
  }

  #takeBytes(): Buffer {
    const chunks = this.#chunks;
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  }

  #openStream(): Readable {
    const stream = new Readable({
      read: () => this.#source.resume(),
      destroy: (error, done) => {
        this.#source.release(error ?? undefined);
        this.#waiting?.reject(error ?? new Error('The body was destroyed before its end.'));
        done(error);
      },
    });
    // Readers see the error; without a reader it must not end the process.
    stream.on('error', () => {});
    if (this.#waiting === undefined) {
      for (const chunk of this.#chunks) stream.push(chunk);
      this.#chunks = [];
    }
    if (this.#fault !== undefined) stream.destroy(this.#fault);
    else if (this.#hasEnded) stream.push(null);
    return stream;
  }
}

/** Returns the whole body of a response that is known to be small, immediately if it has arrived. */
export function wholeBodyOf(response: UpstreamResponse): Buffer | Promise<Buffer> {
  return response instanceof ArrivingResponse ? response.whole() : collect(response.body);
}

/** Returns the body if all of it has arrived with the head; undefined otherwise or without a body. */
export function bufferedBodyOf(response: UpstreamResponse): Buffer | undefined {
  return response instanceof ArrivingResponse ? response.buffered() : undefined;
}

async function collect(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Discards a response: reads a short one to its end, so that its connection can be reused. */
export function discard({ headers, body }: UpstreamResponse): void {
  const length = headers['content-length'];
  if (length !== undefined && !(Number(length) <= discardedBytesMax)) {
    body.destroy();
    return;
  }
  let leftBytes = discardedBytesMax;
  // A new connection takes less time than this.
  const timer = setTimeout(() => body.destroy(), discardMsMax).unref();
  body.once('close', () => clearTimeout(timer));
  body.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) body.destroy();
  });
}

const discardedBytesMax = 64 * 1024;
const discardMsMax = 1_000;

/**
 * Returns the Retry-After of a response in milliseconds: delay-seconds or an HTTP date (RFC 9110 §10.2.3); undefined
 * when it is absent or invalid.
 */
export function readRetryAfter(headers: UpstreamResponse['headers'], wallClock: () => number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const nowMs = wallClock();
  const atMs = parseHttpDate(value, nowMs);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
}
