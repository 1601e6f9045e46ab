import { PauseTolerantTimer, type PauseTolerantTimerOptions } from './clock.ts';
import type { Hit, Verdict } from './hit-store.ts';

/** Hits that are counted together at most, so that neither side blocks for long. */
export const batchHitsMax = 100;

/** Counts hits outside this process, where it can be unavailable. `createRemoteHitStore` makes a hit store of it. */
export interface RemoteCounter {
  /** Name for readiness and the log, such as `redis`. */
  readonly name: string;
  /**
   * Returns one verdict for each of at most `batchHitsMax` hits, in their order. Connects first if necessary. Rejects
   * when the verdicts are unknown, with a `RemoteCountError` when the reason may be shown.
   */
  count(hits: readonly Hit[]): Promise<readonly Verdict[]>;
  /** Drops the connection and everything pending on it; the next call of `count` opens another one. */
  reset(): void;
  close(): Promise<void>;
}

/** Why hits could not be counted, in a message without addresses and passwords. */
export class RemoteCountError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'RemoteCountError';
  }
}

/** Returns a reason that may be shown: the messages of other errors may contain secrets. */
export function reasonOf(error: unknown): string {
  return error instanceof RemoteCountError ? error.message : 'The hits could not be counted.';
}

export interface CounterProbeOptions extends PauseTolerantTimerOptions {
  readonly counter: RemoteCounter;
  /** A later response counts as too late. */
  readonly deadlineMs: number;
}

/** Counted like any other hit, so that every failure of counting affects it too. */
export const probeHit: Hit = { keys: ['probe'], limits: [Number.MAX_SAFE_INTEGER] };

/**
 * Returns a function that probes the counter: it resolves with the reason when the counter does not respond in time,
 * and with undefined when it does. It waits for 50 deadlines, connecting included. After that, or after an error, it
 * drops the connection.
 */
export function createCounterProbe(options: CounterProbeOptions): () => Promise<string | undefined> {
  const { counter, deadlineMs } = options;
  const giveUpMs = deadlineMs * 50;
  return async () => {
    let isLate = false;
    const onDeadline = () => {
      isLate = true;
    };
    const deadline = new PauseTolerantTimer(options, onDeadline).set(deadlineMs).unref();
    const expired = Promise.withResolvers<never>();
    const onGiveUp = () => expired.reject(new RemoteCountError(`No response within ${giveUpMs} ms.`));
    const giveUp = new PauseTolerantTimer(options, onGiveUp).set(giveUpMs).unref();
    try {
      await Promise.race([counter.count([probeHit]), expired.promise]);
    } catch (error) {
      counter.reset();
      return reasonOf(error);
    } finally {
      deadline.clear();
      giveUp.clear();
    }
    return isLate ? `No response within ${deadlineMs} ms.` : undefined;
  };
}
