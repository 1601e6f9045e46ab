import { Readable } from 'node:stream';
import type { ReplyStream } from '@rostergate/endpoints';
import type { Context } from '@rostergate/server';

/** Runs the code of a service; see `asServiceCode`. */
type Run = <T>(code: () => T) => T;

/** How long an event stream waits for its first event before it responds without one. */
const silentMsMax = 1_000;

/**
 * Reads an iterable that a service returned, one item ahead of the client at most, and ends it with `return()` when the
 * stream is destroyed. Between events it sends comments, which keep proxies from closing the connection.
 */
export class ServiceStream extends Readable {
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  readonly #source: { readonly destroy?: unknown };
  readonly #toChunk: ReplyStream['toChunk'];
  readonly #run: Run;
  readonly #heartbeat: NodeJS.Timeout | undefined;
  readonly #first = Promise.withResolvers<void>();
  #isReading = false;
  #isOver = false;
  #isEnded = false;

  constructor({ source, toChunk, isEvents, heartbeatMs }: ReplyStream, run: Run) {
    super({ highWaterMark: bufferedBytesMax });
    this.#source = source as { readonly destroy?: unknown };
    this.#toChunk = toChunk;
    this.#run = run;
    this.#iterator = run(() =>
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator](),
    );
    this.#first.promise.catch(() => {});
    if (isEvents) this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  /** Resolves with the first item or the end; rejects with the error that comes before. */
  begin(): Promise<void> {
    // Reading a stream that is over would emit its end before anyone listens.
    if (!this.#isOver) this.read(0);
    return this.#first.promise;
  }

  /** Responds before the first event, which may be late. */
  beginSilently(): void {
    this.#beat();
    this.#first.resolve();
  }

  override _read(): void {
    // Comments make Node read again while an item is pending.
    if (this.#isReading || this.#isOver) return;
    this.#isReading = true;
    this.#pull().then(
      (chunk) => this.#deliver(chunk),
      (error: Error) => {
        // A generator may throw because its stream is over.
        if (this.#isOver) return;
        this.#first.reject(error);
        this.destroy(error);
      },
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#isOver = true;
    // Unless it is settled already.
    this.#first.reject(error ?? clientGone());
    this.#endIterator();
    callback(error);
  }

  /** Returns the next item that is not empty; undefined at the end. */
  async #pull(): Promise<string | Uint8Array | undefined> {
    for (;;) {
      const { value, done } = await this.#run(() => this.#iterator.next());
      if (done === true) return undefined;
      const chunk = this.#toChunk(await value);
      if (chunk.length > 0) return chunk;
    }
  }

  #deliver(chunk: string | Uint8Array | undefined): void {
    this.#isReading = false;
    if (this.#isOver) return;
    this.#heartbeat?.refresh();
    if (chunk === undefined) {
      this.#isOver = true;
      this.#isEnded = true;
    }
    this.push(chunk ?? null);
    this.#first.resolve();
  }

  #beat(): void {
    // A client that does not read needs no sign of life.
    if (!this.#isOver && this.readableLength === 0) this.push(':\n\n');
  }

  /** Does not wait: a generator that is waiting itself ends when that is over. */
  #endIterator(): void {
    clearInterval(this.#heartbeat);
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { destroy } = this.#source;
    this.#run(async () => {
      await this.#iterator.return?.();
    }).catch(() => {});
    // The iterator of an unread Node stream does not end it.
    if (typeof destroy === 'function') destroy.call(this.#source);
  }
}

/** With Node's own code for it. */
function clientGone(): Error {
  return Object.assign(new Error('The client has left.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** The request of a stream. */
type StreamContext = Pick<Context, 'call' | 'abandon'>;

/** Bounds the memory of a stream whose client reads slowly. */
const bufferedBytesMax = 16 * 1024;

/**
 * Returns the stream when its first item is there, so that an error before it can still become a problem. An event stream
 * waits for at most a second.
 */
export async function openServiceStream(reply: ReplyStream, run: Run, context: StreamContext): Promise<ServiceStream> {
  const { call } = context;
  const stream = new ServiceStream(reply, run);
  const onAbort = () => void stream.destroy();
  // The server reports errors after the first item.
  stream.on('error', () => {});
  // A generator that waits learns from its signal that its stream is over.
  stream.once('close', () => {
    call.removeEventListener('abort', onAbort);
    if (!stream.readableEnded) context.abandon();
  });
  if (call.aborted) stream.destroy();
  else call.addEventListener('abort', onAbort, { once: true });
  const silence = reply.isEvents ? setTimeout(() => stream.beginSilently(), silentMsMax) : undefined;
  try {
    await stream.begin();
    return stream;
  } finally {
    clearTimeout(silence);
  }
}
