import type { CallSignal } from '@rostergate/server';
import type { Dispatcher } from 'undici';
import type { DeadlineQueue, Due } from './deadline-queue.ts';
import { notHttp, requestCancelled, responseTooLate, toUpstreamFault } from './upstream-fault.ts';
import {
  ArrivingResponse,
  type OnInterim,
  type ResponseHead,
  type ResponseSource,
  type UpstreamResponse,
} from './upstream-response.ts';

type Controller = Dispatcher.DispatchController;

export interface ExchangeOptions {
  readonly deadlines: DeadlineQueue;
  /** The deadline of the head and of the first byte of the body, by the clock of the queue. */
  readonly dueMs: number;
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
export class Exchange implements Dispatcher.DispatchHandler, ResponseSource, Due {
  readonly response: Promise<UpstreamResponse>;
  #resolve!: (response: UpstreamResponse) => void;
  #reject!: (error: Error) => void;
  dueMs: number;
  before: Due | undefined;
  after: Due | undefined;
  #isAwaited = false;
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
    this.dueMs = options.dueMs;
    this.#enterDeadlines();
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
    this.#leaveDeadlines();
    // The first event of an event stream may arrive late.
    this.#hasBegun = isEventStream(headers);
    this.#arriving = new ArrivingResponse(status, headers, this);
    this.#options.onHead?.(this.#arriving);
    this.#resolve(this.#arriving);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#hasBegun = true;
    if (this.#isAwaited) this.dueMs = this.#silentUntilMs();
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
    this.#leaveDeadlines();
    this.#controller?.pause();
  }

  resume(): void {
    if (!this.#isAwaited && !this.#isSettled) {
      // `dueMs` is the deadline of the head until the body has begun.
      if (this.#hasBegun) this.dueMs = this.#silentUntilMs();
      this.#enterDeadlines();
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

  /** Called by the queue. */
  expire(): void {
    this.#fail(responseTooLate(this.#wasSent, new Error(this.#missing())));
  }

  /** Describes for the log what was late. */
  #missing(): string {
    if (!this.#wasSent) return 'No connection was open by the deadline.';
    if (this.#arriving === undefined) return 'No head of a response arrived by the deadline.';
    if (!this.#hasBegun) return 'The head of the response arrived, but no byte of its body by the deadline.';
    return `No more of the body arrived for ${this.#options.silenceMsMax} ms.`;
  }

  #silentUntilMs(): number {
    const { deadlines, silenceMsMax } = this.#options;
    return deadlines.nowMs + silenceMsMax;
  }

  #enterDeadlines(): void {
    this.#isAwaited = true;
    this.#options.deadlines.add(this);
  }

  #leaveDeadlines(): void {
    if (this.#isAwaited) this.#options.deadlines.remove(this);
    this.#isAwaited = false;
  }

  #settle(fault: Error | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#leaveDeadlines();
    this.#options.signal?.removeEventListener('abort', this.#abandon);
    this.#options.onSettled?.(fault);
  }
}

function isEventStream({ 'content-type': type }: UpstreamResponse['headers']): boolean {
  return typeof type === 'string' && type.startsWith('text/event-stream');
}
