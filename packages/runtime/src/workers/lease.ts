/**
 * Room in the count of one key that a worker may fill by itself for a short while. Plain data: it travels. Every process
 * has a clock of its own, so what travels of times is how long, never when.
 */
export interface Lease {
  /** No other lease has it. */
  readonly id: number;
  readonly key: string;
  /** The limit that it was cut from; it admits nothing under another. */
  readonly limit: number;
  /** So many hits. */
  readonly room: number;
  /** From the moment at which its worker asked, so that it ends there before it does where it was granted. */
  readonly lifeMs: number;
  /** Hits that count already, with all that is lent to others. */
  readonly used: number;
  /** Which of those leave the window next: in how many milliseconds, and how many, one pair after the other. */
  readonly leaving: readonly number[];
}

/** A lease that has ended. */
export interface EndedLease {
  readonly id: number;
  readonly key: string;
  /** What it was used for: how many milliseconds ago, and how many hits, the oldest first. */
  readonly uses: readonly number[];
}

/** The longest life of a lease: how long room can lie where it is not used, but for the way back. */
export const leaseMs = 100;
