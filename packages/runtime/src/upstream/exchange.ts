import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { answerTooLate, callerGone, toUpstreamFault } from './upstream-fault.ts';

type Controller = Dispatcher.DispatchController;

/**
 * One request on its way: holds the deadline of the answer's head, listens to the caller's signal, and turns whatever
 * happens into a response or a `Problem`. The body is a stream whose reader sets the pace.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<UpstreamResponse>;
  readonly #resolve: (response: UpstreamResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  #controller: Controller | undefined;
  #body: Readable | undefined;
  #failure: Error | undefined;
  #hasEnded = false;

  constructor(headersTimeoutMs: number, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    this.response = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#fail(answerTooLate()), headersTimeoutMs);
    signal?.addEventListener('abort', this.#abandon, { once: true });
    if (signal?.aborted) this.#abandon();
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // Given up while it waited for a connection: it never leaves.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(controller: Controller, status: number, headers: UpstreamResponse['headers']): void {
    if (status < 200) return;
    clearTimeout(this.#timer);
    this.#body = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        this.#settle();
        if (!this.#hasEnded) controller.abort(error ?? callerGone());
        done(error);
      },
    });
    // Whoever reads it sees the error; a fault before anybody reads must not end the process.
    this.#body.on('error', () => {});
    this.#resolve({ status, headers, body: this.#body });
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#hasEnded = true;
    this.#settle();
    this.#body?.push(null);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#hasEnded = true;
    this.#fail(toUpstreamFault(error));
  }

  readonly #abandon = (): void => this.#fail(callerGone());

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#settle();
    if (this.#body !== undefined) this.#body.destroy(error);
    else {
      this.#reject(error);
      this.#controller?.abort(error);
    }
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abandon);
  }
}

export interface UpstreamResponse {
  readonly status: number;
  /** Lower-case names; a header that came several times is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Ends with a `Problem` when the upstream breaks off or falls silent. */
  readonly body: Readable;
}
