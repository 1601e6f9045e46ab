import type { DependencyStatus } from '../lifecycle/index.ts';

/** One request as the limits see it: a key and a limit for each policy that it must pass. Plain data: it may travel. */
export interface Hit {
  /** Who is counted, and by which policy; each key stands once. */
  readonly keys: readonly string[];
  /** Beside each key, how many hits any window may hold. */
  readonly limits: readonly number[];
}

/** What one policy says of a hit. */
export interface HitState {
  readonly isAdmitted: boolean;
  /** Hits that count now, this one included when it was recorded. */
  readonly used: number;
  /** Until the next hit is free again: for a refused one, until it would be admitted; 0 when nothing is used. */
  readonly resetMs: number;
}

/**
 * One state for each key, in the hit's order. Empty when nobody has counted: the hit passes, and nothing true can be
 * said of what is left.
 */
export type Verdict = readonly HitState[];

/**
 * The place where hits are counted. However it is built it keeps the same promises: of each key no `windowMs` hold more
 * admitted hits than the limit, wherever they begin; a hit is recorded under all of its keys when every policy admits
 * it, and under none otherwise; the limit comes with each hit, so that a new configuration keeps the counts.
 */
export interface HitStore {
  readonly windowMs: number;
  /** Decides at once where it can. Rejects with a `Problem`, and never throws, when it may admit nothing because nothing is known. */
  hit(hit: Hit): Verdict | Promise<Verdict>;
  /** Resolves when it is known whether the place is there, or soon anyway: until then hits may be counted elsewhere. */
  opened(): Promise<void>;
  /** For readiness: where hits are counted and, when that is not as configured, why. */
  status(): DependencyStatus;
  /** Lets go of timers and connections. What is hit afterwards is counted as if the place were away. */
  close(): Promise<void>;
}

export function isAdmittedBy(verdict: Verdict): boolean {
  for (let i = 0; i < verdict.length; i++) if (!(verdict[i] as HitState).isAdmitted) return false;
  return true;
}
