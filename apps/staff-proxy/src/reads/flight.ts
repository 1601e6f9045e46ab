import { CallController, type CallSignal, type RawReply } from '@rostergate/runtime/contract';
import { callerGone } from '@rostergate/runtime/upstream';
import type { Caller } from '../staff-call.ts';

/** What came of a read, for each who waits for it; undefined when its beginning is gone. */
export type TakeReply = () => RawReply | undefined;

/** One read on its way, and all who wait for it. It lasts as long as one of them does, whoever came first. */
export class Flight {
  readonly #abort = new CallController();
  readonly #landing: Promise<TakeReply>;
  readonly #onAbandoned: () => void;
  #waiting = 0;
  #hasLanded = false;

  /**
   * @param ask asks, once, for all; the signal aborts when nobody waits any more
   * @param onAbandoned nobody waits any more: whoever comes now is to ask anew
   */
  constructor(ask: (signal: CallSignal) => Promise<TakeReply>, onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
    this.#landing = ask(this.#abort);
  }

  /** The answer, once it has begun; undefined when it has gone too far to be joined. */
  join({ signal }: Pick<Caller, 'signal'>): Promise<RawReply | undefined> {
    if (signal.aborted) {
      this.#landing.catch(() => {});
      return Promise.reject(callerGone(false));
    }
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(callerGone(true));
        this.#leave();
      };
      signal.addEventListener('abort', leave);
      this.#landing.then(
        (take) => {
          this.#hasLanded = true;
          // Gone already: a reader that nobody reads would hold up the others.
          if (signal.aborted) return;
          signal.removeEventListener('abort', leave);
          resolve(take());
        },
        (error) => {
          this.#hasLanded = true;
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      );
    });
  }

  #leave(): void {
    this.#waiting--;
    if (this.#waiting > 0 || this.#hasLanded) return;
    this.#onAbandoned();
    this.#abort.abort();
  }
}
