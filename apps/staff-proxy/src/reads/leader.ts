import type { CallSignal } from '@rostergate/runtime/contract';
import type { Caller } from '../staff-call.ts';

/** Whoever asked first, as one who waits as long as anybody does. */
export class Leader implements Caller {
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
