import { FairTimer, type FairTimerOptions } from './fair-timer.ts';
import type { Hit } from './hit-store.ts';
import { RemoteCountError, type RemoteCounter } from './remote-counter.ts';

export interface CounterProbeOptions extends FairTimerOptions {
  readonly counter: RemoteCounter;
  /** What is in time. */
  readonly deadlineMs: number;
}

/** Counted like any other, so that whatever stops others from being counted stops it too. */
export const probeHit: Hit = { keys: ['probe'], limits: [Number.MAX_SAFE_INTEGER] };

/**
 * Makes the question why a counter does not answer in time; undefined when it does. It is given much more time than
 * others, connection included; after that, or after an error, the connection is given up.
 */
export function createCounterProbe(options: CounterProbeOptions): () => Promise<string | undefined> {
  const { counter, deadlineMs } = options;
  const patienceMs = deadlineMs * 50;
  return async () => {
    let isLate = false;
    const onDeadline = () => {
      isLate = true;
    };
    const deadline = new FairTimer(options, onDeadline).set(deadlineMs).unref();
    let patience: FairTimer | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const give = () => reject(new RemoteCountError(`No answer within ${patienceMs} ms.`));
      patience = new FairTimer(options, give).set(patienceMs).unref();
    });
    try {
      await Promise.race([counter.count([probeHit]), tooLate]);
    } catch (error) {
      counter.reset();
      return reasonOf(error);
    } finally {
      deadline.clear();
      patience?.clear();
    }
    return isLate ? `No answer within ${deadlineMs} ms.` : undefined;
  };
}

/** What may be said of an error: only our own words are known to hold no secret. */
export function reasonOf(error: unknown): string {
  return error instanceof RemoteCountError ? error.message : 'The hits could not be counted.';
}
