import { CallController, type CallSignal, type RawReply } from '@rostergate/server';
import { requestCancelled } from '@rostergate/upstream';
import type { Caller } from '../staff-call.ts';

/** Returns one caller's reply of a shared read; undefined when its first bytes are no longer held. */
export type TakeReply = () => RawReply | undefined;

/** One read in flight and all callers that wait for it. It lasts as long as any of them waits. */
export class PendingRead {
  readonly #abort = new CallController();
  readonly #onAbandoned: () => void;
  #waiters: WaitingCaller[] = none;
  #outcome: Outcome | undefined;

  /** @param onAbandoned called when no caller waits any more; later callers need a new read */
  constructor(onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
  }

  /** Aborts when no caller waits any more. */
  get signal(): CallSignal {
    return this.#abort;
  }

  /** Resolves with the reply once it has begun; with undefined when it can no longer be joined. */
  join({ signal }: Pick<Caller, 'signal'>): Promise<RawReply | undefined> {
    if (signal.aborted) return Promise.reject(requestCancelled(false));
    return new Promise((resolve, reject) => {
      const waiter = new WaitingCaller(this, signal, resolve, reject);
      if (this.#outcome !== undefined) waiter.settle(this.#outcome);
      else if (this.#waiters.length === 0) this.#waiters = [waiter];
      else this.#waiters.push(waiter);
    });
  }

  /** Ends the wait of all callers. Called once. */
  settle(outcome: Outcome): void {
    this.#outcome = outcome;
    const waiters = this.#waiters;
    this.#waiters = none;
    for (let i = 0; i < waiters.length; i++) (waiters[i] as WaitingCaller).settle(outcome);
  }

  leave(waiter: WaitingCaller): void {
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    if (this.#waiters.length > 0 || this.#outcome !== undefined) return;
    this.#onAbandoned();
    this.#abort.abort();
  }
}

type Outcome = { readonly take: TakeReply } | { readonly fault: unknown };

class WaitingCaller {
  readonly #read: PendingRead;
  readonly #signal: CallSignal;
  readonly #resolve: (reply: RawReply | undefined) => void;
  readonly #reject: (fault: unknown) => void;

  constructor(
    read: PendingRead,
    signal: CallSignal,
    resolve: (reply: RawReply | undefined) => void,
    reject: (fault: unknown) => void,
  ) {
    this.#read = read;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#leave);
  }

  settle(outcome: Outcome): void {
    this.#signal.removeEventListener('abort', this.#leave);
    if ('fault' in outcome) this.#reject(outcome.fault);
    else this.#resolve(outcome.take());
  }

  readonly #leave = (): void => {
    this.#reject(requestCancelled(true));
    this.#read.leave(this);
  };
}

const none: WaitingCaller[] = [];

/** The caller of a shared read: the first caller, with a signal that lasts as long as any caller waits. */
export class SharedCaller implements Caller {
  readonly signal: CallSignal;
  readonly #caller: Caller;

  constructor(caller: Caller, signal: CallSignal) {
    this.#caller = caller;
    this.signal = signal;
  }

  get requestId() {
    return this.#caller.requestId;
  }

  get via() {
    return this.#caller.via;
  }

  get principal() {
    return this.#caller.principal ?? null;
  }

  get trace() {
    return this.#caller.trace;
  }
}
