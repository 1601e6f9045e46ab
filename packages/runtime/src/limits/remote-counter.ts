import type { Hit, Verdict } from './hit-store.ts';

/** So many hits are counted at a time, so that neither side does nothing else for long. */
export const batchHitsMax = 100;

/**
 * A count that is kept outside this process and can be away: in Redis, or in the process that started this one. It only
 * carries hits there and verdicts back; `createRemoteHitStore` makes a store of it.
 */
export interface RemoteCounter {
  /** For readiness and the log, such as `redis`. */
  readonly name: string;
  /**
   * One verdict for each hit, `batchHitsMax` at most, in their order. Connects first when it must. Rejects when they cannot be known, with a
   * `RemoteCountError` where more can be said than that.
   */
  count(hits: readonly Hit[]): Promise<readonly Verdict[]>;
  /** Gives up the connection and all that is under way on it; the next count begins anew. */
  reset(): void;
  close(): Promise<void>;
}

/** Why hits could not be counted, in words that anyone may read: no address, no password. */
export class RemoteCountError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'RemoteCountError';
  }
}
