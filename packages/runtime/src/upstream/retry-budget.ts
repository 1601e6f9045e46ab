export interface RetryBudgetOptions {
  /** How many retries a request earns: 0.2 lets one in five requests be sent twice in the long run. */
  readonly perRequest?: number;
  /** How many retries are there from the start, and the most that can be saved up. */
  readonly reserve?: number;
  /** What comes back by itself, so that quiet times can be retried too. */
  readonly perSecond?: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}

/** Keeps retries a small share of all requests: an upstream in trouble is not buried under them. */
export interface RetryBudget {
  /** Notes one request that came from a caller. */
  earn(): void;
  /** Takes one retry; false when there is none left. */
  spend(): boolean;
}

export function createRetryBudget(options: RetryBudgetOptions): RetryBudget {
  const { perRequest = 0.2, reserve = 10, perSecond = 0.5, clock } = options;
  let balance = reserve;
  let refilledMs = clock();
  return {
    earn() {
      balance = Math.min(reserve, balance + perRequest);
    },
    spend() {
      const nowMs = clock();
      balance = Math.min(reserve, balance + ((nowMs - refilledMs) / 1_000) * perSecond);
      refilledMs = nowMs;
      if (balance < 1) return false;
      balance -= 1;
      return true;
    },
  };
}
