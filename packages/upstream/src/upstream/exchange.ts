import { type Duplex, Readable } from 'node:stream';
import type { CallSignal } from '@rostergate/server';
import type { Dispatcher } from 'undici';
import { notHttp, requestCancelled, responseTooLate, toUpstreamFault } from './upstream-fault.ts';
import type { OnInterim, ResponseHead, UpstreamResponse } from './upstream-response.ts';

type Controller = Dispatcher.DispatchController;

export interface ExchangeOptions {
  /** How long the head and the first byte of the body may take. */
  readonly headMsMax: number;
  /** How long a reader waits for more of the body. */
  readonly silenceMsMax: number;
  readonly signal: CallSignal | undefined;
  readonly onInterim: OnInterim | undefined;
  /** Called when the head of the response has arrived. */
  readonly onHead: ((head: ResponseHead) => void) | undefined;
  /** Called once when the exchange ends, with the fault that ended it, if any. */
  readonly onSettled: ((fault: Error | undefined) => void) | undefined;
}

/**
 * One request in flight. It enforces the deadline of the head and then of each piece of the body, observes the caller's
 * signal, and produces a response or a `Problem`. The reader of the body sets the pace.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<UpstreamResponse>;
  #resolve!: (response: UpstreamResponse) => void;
  #reject!: (error: Error) => void;
  /** By the machine's clock, also when requests use another one. */
  readonly #headDeadlineMs: number;
  #deadline: NodeJS.Timeout | undefined;
  #hasBegun = false;
  readonly #options: ExchangeOptions;
  #controller: Controller | undefined;
  #arriving: ArrivingResponse | undefined;
  #failure: Error | undefined;
  #hasEnded = false;
  #isSettled = false;

  constructor(options: ExchangeOptions) {
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#options = options;
    this.#headDeadlineMs = performance.now() + options.headMsMax;
    this.#setDeadline(options.headMsMax);
    options.signal?.addEventListener('abort', this.#abandon, { once: true });
    if (options.signal?.aborted) this.#abandon();
  }

  /** Called when a connection is open and the first byte is about to be sent. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // Cancelled while it waited for a connection: it is not sent.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(_controller: Controller, status: number, headers: UpstreamResponse['headers']): void {
    if (status < 200) {
      if (status > 101 && this.#failure === undefined) this.#options.onInterim?.(status, headers);
      return;
    }
    if (status > 599) {
      this.#fail(notHttp());
      return;
    }
    this.#clearDeadline();
    // The first event of an event stream may arrive late.
    this.#hasBegun = isEventStream(headers) || this.#options.silenceMsMax === Number.POSITIVE_INFINITY;
    this.#arriving = new ArrivingResponse(status, headers, this);
    this.#options.onHead?.(this.#arriving);
    this.#resolve(this.#arriving);
  }

  /** The socket has left the pool. */
  onRequestUpgrade(
    _controller: Controller,
    status: number,
    headers: UpstreamResponse['headers'],
    socket: Duplex,
  ): void {
    this.#hasEnded = true;
    // Its later reader also sees the error; without one it must not end the process.
    socket.on('error', ignore);
    if (this.#failure !== undefined) {
      socket.destroy();
      return;
    }
    const response = { status, headers, body: socket };
    this.#options.onHead?.(response);
    this.#settle(undefined);
    this.#resolve(response);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#deadline !== undefined) {
      if (this.#hasBegun) {
        this.#deadline.refresh();
      } else {
        this.#clearDeadline();
        this.#setDeadline(this.#options.silenceMsMax);
      }
    }
    this.#hasBegun = true;
    this.#arriving?.push(chunk);
  }

  onResponseEnd(): void {
    this.#hasEnded = true;
    this.#settle(undefined);
    this.#arriving?.end();
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#hasEnded = true;
    this.#fail(toUpstreamFault(error, this.#wasSent));
  }

  pause(): void {
    this.#clearDeadline();
    this.#controller?.pause();
  }

  resume(): void {
    if (this.#deadline === undefined && !this.#isSettled) {
      this.#setDeadline(this.#hasBegun ? this.#options.silenceMsMax : this.#headDeadlineMs - performance.now());
    }
    this.#controller?.resume();
  }

  release(fault: Error | undefined): void {
    this.#settle(fault);
    if (!this.#hasEnded) this.#controller?.abort(fault ?? requestCancelled(true));
  }

  get #wasSent(): boolean {
    return this.#controller !== undefined;
  }

  readonly #abandon = (): void => this.#fail(requestCancelled(this.#wasSent));

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#settle(error);
    if (this.#arriving === undefined) this.#reject(error);
    else this.#arriving.fail(error);
    if (!this.#hasEnded) this.#controller?.abort(error);
  }

  readonly #expire = (): void => this.#fail(responseTooLate(this.#wasSent, new Error(this.#missing())));

  /** Describes for the log what was late. */
  #missing(): string {
    if (!this.#wasSent) return 'No connection was open by the deadline.';
    if (this.#arriving === undefined) return 'No head of a response arrived by the deadline.';
    if (!this.#hasBegun) return 'The head of the response arrived, but no byte of its body by the deadline.';
    return `No more of the body arrived for ${this.#options.silenceMsMax} ms.`;
  }

  /** The socket keeps the process alive, not the timer. */
  #setDeadline(inMs: number): void {
    // Node fires a longer timer at once.
    const delayMs = Math.min(Math.max(0, Math.ceil(inMs)), 2 ** 31 - 1);
    this.#deadline = setTimeout(this.#expire, delayMs).unref();
  }

  #clearDeadline(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  #settle(fault: Error | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#clearDeadline();
    this.#options.signal?.removeEventListener('abort', this.#abandon);
    this.#options.onSettled?.(fault);
  }
}

const ignore = (): void => {};

function isEventStream({ 'content-type': type }: UpstreamResponse['headers']): boolean {
  return typeof type === 'string' && type.startsWith('text/event-stream');
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
  readonly #source: Exchange;
  #chunks: Buffer[] = [];
  #unreadBytes = 0;
  #hasEnded = false;
  #fault: Error | undefined;
  #stream: Readable | undefined;
  #waiting: PromiseWithResolvers<Buffer> | undefined;

  constructor(status: number, headers: UpstreamResponse['headers'], source: Exchange) {
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
    stream.on('error', ignore);
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
