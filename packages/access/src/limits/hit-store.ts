import type { DependencyStatus } from '@rostergate/server/lifecycle';

/** Over how long a limit counts: milliseconds that slide, or a period of the calendar in UTC. */
export type HitWindow = number | 'day' | 'month';

/**
 * One request as the limits count it: a key and a limit for each policy that it must pass. Plain data, so it can be
 * sent.
 */
export interface Hit {
  /** The client or owner that all keys count; by default the first key. A Redis Cluster stores its counts together. */
  readonly client?: string | undefined;
  /** The policy and the client or owner it counts; each key occurs once. */
  readonly keys: readonly string[];
  /** For each key, how many hits any window may hold. */
  readonly limits: readonly number[];
  /** For each key, its window; by default that of the store. A limit above 10,000 then counts in buckets. */
  readonly windows?: readonly HitWindow[] | undefined;
}

/**
 * The highest limit of a given window that is counted hit by hit. Above it, a window is divided into buckets, and a hit
 * leaves with the end of its bucket: up to a thousandth of the window late, never early.
 */
export const exactLimitMax = 10_000;

/** Returns the length of a bucket in milliseconds; 1 when hits are counted one by one. */
export function bucketMsOf(windowMs: number, limit: number): number {
  return limit > exactLimitMax ? Math.max(1, Math.ceil(windowMs / 1_000)) : 1;
}

/** The decision of one policy about a hit. */
export interface HitState {
  readonly isAdmitted: boolean;
  /** Hits in the window, this one included when it was recorded. */
  readonly used: number;
  /**
   * Time until the next hit leaves the window; for a rejected hit, until it would be admitted. 0 when nothing is used.
   */
  readonly resetMs: number;
}

/** One state for each key, in the order of the hit. Empty when the hit passes uncounted. */
export type Verdict = readonly HitState[];

/**
 * Counts hits. Every implementation guarantees: no window holds more admitted hits of a key than the limit, wherever it
 * begins, and no period of the calendar does; a hit is recorded under all of its keys when every policy admits it, and under none
 * otherwise; the limit comes with each hit, so a new configuration does not reset the counts.
 */
export interface HitStore {
  /** The window of hits that name none. */
  readonly windowMs: number;
  /**
   * Decides synchronously when it can. Rejects with a `Problem`, and never throws, when it cannot count and must not
   * admit.
   */
  hit(hit: Hit): Verdict | Promise<Verdict>;
  /** Resolves when the store is reachable, or after a short time: until it is, hits may be counted elsewhere. */
  opened(): Promise<void>;
  /** Resolves when it is known whether the store is reachable, which may take longer. Absent when it always is. */
  readonly known?: () => Promise<void>;
  /** Returns where hits are counted and, when that is not as configured, the reason. */
  status(): DependencyStatus;
  /** Releases timers and connections. Later hits are decided as while the store is unavailable. */
  close(): Promise<void>;
}

export function isAdmittedBy(verdict: Verdict): boolean {
  return verdict.every(({ isAdmitted }) => isAdmitted);
}
