import { CallController, type CallSignal, type RawReply } from '@rostergate/runtime/contract';
import { callerGone } from '@rostergate/runtime/upstream';
import type { Caller } from '../staff-call.ts';

/** What came of a read, for each who waits for it; undefined when its beginning is gone. */
export type TakeReply = () => RawReply | undefined;

/** One read on its way, and all who wait for it. It lasts as long as one of them does, whoever came first. */
export class Flight {
  readonly #abort = new CallController();
  readonly #onAbandoned: () => void;
  #passengers: Passenger[] = none;
  #landed: Landed | undefined;

  /** @param onAbandoned nobody waits any more: whoever comes now is to ask anew */
  constructor(onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
  }

  /** Aborts when nobody waits any more. */
  get signal(): CallSignal {
    return this.#abort;
  }

  /** The answer, once it has begun; undefined when it has gone too far to be joined. */
  join({ signal }: Pick<Caller, 'signal'>): Promise<RawReply | undefined> {
    if (signal.aborted) return Promise.reject(callerGone(false));
    return new Promise((resolve, reject) => {
      const passenger = new Passenger(this, signal, resolve, reject);
      if (this.#landed !== undefined) passenger.get(this.#landed);
      else if (this.#passengers.length === 0) this.#passengers = [passenger];
      else this.#passengers.push(passenger);
    });
  }

  /** Called once, with what is there for all who wait. */
  land(landed: Landed): void {
    this.#landed = landed;
    const passengers = this.#passengers;
    this.#passengers = none;
    for (let i = 0; i < passengers.length; i++) (passengers[i] as Passenger).get(landed);
  }

  leave(passenger: Passenger): void {
    this.#passengers = this.#passengers.filter((other) => other !== passenger);
    if (this.#passengers.length > 0 || this.#landed !== undefined) return;
    this.#onAbandoned();
    this.#abort.abort();
  }
}

/** The answer, or the fault in its place. */
type Landed = { readonly take: TakeReply } | { readonly fault: unknown };

/** One who waits. */
class Passenger {
  readonly #flight: Flight;
  readonly #signal: CallSignal;
  readonly #resolve: (reply: RawReply | undefined) => void;
  readonly #reject: (fault: unknown) => void;

  constructor(
    flight: Flight,
    signal: CallSignal,
    resolve: (reply: RawReply | undefined) => void,
    reject: (fault: unknown) => void,
  ) {
    this.#flight = flight;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#leave);
  }

  get(landed: Landed): void {
    this.#signal.removeEventListener('abort', this.#leave);
    if ('fault' in landed) this.#reject(landed.fault);
    else this.#resolve(landed.take());
  }

  readonly #leave = (): void => {
    this.#reject(callerGone(true));
    this.#flight.leave(this);
  };
}

const none: Passenger[] = [];
