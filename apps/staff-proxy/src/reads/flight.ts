import { CallController, type CallSignal, type RawReply } from '@rostergate/runtime/contract';
import { callerGone } from '@rostergate/runtime/upstream';
import type { Caller } from '../staff-call.ts';

/** What came of a read, for each who waits for it; undefined when its beginning is gone. */
export type TakeReply = () => RawReply | undefined;

export interface FlightOptions {
  /** Asks, once, for all; the signal aborts when nobody waits any more. */
  readonly ask: (signal: CallSignal) => Promise<TakeReply>;
  /** Nobody waits any more: whoever comes now is to ask anew. */
  readonly onAbandoned: () => void;
}

/** One read on its way, and all who wait for it. It lasts as long as one of them does, whoever came first. */
export interface Flight {
  /** The answer, once it has begun; undefined when it has gone too far to be joined. */
  join(caller: Pick<Caller, 'signal'>): Promise<RawReply | undefined>;
}

export function createFlight({ ask, onAbandoned }: FlightOptions): Flight {
  const abort = new CallController();
  let waiting = 0;
  let isLanded = false;
  const landing = ask(abort).finally(() => {
    isLanded = true;
  });
  // Each who waits sees the failure; with nobody left it is nobody's.
  landing.catch(() => {});

  return {
    join({ signal }) {
      if (signal.aborted) return Promise.reject(callerGone(false));
      waiting++;
      const { promise, resolve, reject } = Promise.withResolvers<RawReply | undefined>();
      const leave = () => {
        waiting--;
        reject(callerGone(true));
        if (waiting > 0 || isLanded) return;
        onAbandoned();
        abort.abort();
      };
      signal.addEventListener('abort', leave, { once: true });
      const settle = (finish: () => void) => {
        // Gone already: a reader that nobody reads would hold up the others.
        if (signal.aborted) return;
        signal.removeEventListener('abort', leave);
        waiting--;
        finish();
      };
      landing.then(
        (take) => settle(() => resolve(take())),
        (error) => settle(() => reject(error)),
      );
      return promise;
    },
  };
}
