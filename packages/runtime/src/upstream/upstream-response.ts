import { Readable } from 'node:stream';
import { parseHttpDate } from '../cache/http-date.ts';

export interface UpstreamResponse {
  readonly status: number;
  /** Lower-case names; a header that came several times is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Ends with a `Problem` when the upstream breaks off or falls silent. */
  readonly body: Readable;
}

/** What there is of a response before its body. */
export type ResponseHead = Pick<UpstreamResponse, 'status' | 'headers'>;

export type OnInterim = (status: number, headers: UpstreamResponse['headers']) => void;

/** What became of one try. */
export type Outcome = { readonly response: UpstreamResponse } | { readonly error: unknown };

/** Whoever sends a response, as its reader sees it. */
export interface ResponseSource {
  pause(): void;
  resume(): void;
  /** Nobody reads any more: with the fault, if that was why. */
  release(fault: Error | undefined): void;
}

/** As long as nobody has begun to read, this much is taken in; then the upstream waits. */
const unreadBytesMax = 64 * 1024;

/**
 * A response whose body is on its way. A short one has mostly come with its head: then it is there as bytes at once,
 * and no stream is made.
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

  /** All bytes, at once where they are there; instead of `body`, whose destruction ends the wait. */
  whole(): Buffer | Promise<Buffer> {
    if (this.#stream !== undefined) throw new Error('The body is read as a stream already.');
    if (this.#hasEnded) return this.#takeBytes();
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    this.#waiting = Promise.withResolvers();
    this.#source.resume();
    return this.#waiting.promise;
  }

  /** All bytes if they are there already, and there are any; instead of `body`. */
  arrived(): Buffer | undefined {
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
    // Whoever reads it sees the error; a fault before anybody reads must not end the process.
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

/** The whole body of an answer whose length is known to be small: at once where it is there. */
export function wholeBodyOf(response: UpstreamResponse): Buffer | Promise<Buffer> {
  return response instanceof ArrivingResponse ? response.whole() : collect(response.body);
}

/** The body where all of it came with the head; undefined where some is still to come, or there is none. */
export function arrivedBodyOf(response: UpstreamResponse): Buffer | undefined {
  return response instanceof ArrivingResponse ? response.arrived() : undefined;
}

async function collect(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Lets go of an answer that nobody will read: a short one to its end, so that its connection can be used again. */
export function discard({ headers, body }: UpstreamResponse): void {
  const length = headers['content-length'];
  if (length !== undefined && !(Number(length) <= discardedBytesMax)) {
    body.destroy();
    return;
  }
  let leftBytes = discardedBytesMax;
  // Not worth waiting for: another connection is made sooner.
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
 * How long an answer asks to wait, in milliseconds: delay-seconds or an HTTP date (RFC 9110 §10.2.3); undefined when it
 * does not say, or not so that it can be read.
 */
export function readRetryAfter(headers: UpstreamResponse['headers'], wallClock: () => number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const nowMs = wallClock();
  const atMs = parseHttpDate(value, nowMs);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
}
