import { toAbortSignal } from '@rostergate/server';
import { markRetried } from './proxy-status.ts';
import { decideRetry } from './retry-decision.ts';
import type { SendOnce, UpstreamRequest } from './upstream.ts';
import { requestCancelled } from './upstream-fault.ts';
import { discard, type Outcome, type UpstreamResponse } from './upstream-response.ts';

export interface RetryOptions {
  /** The maximum number of retries per request. */
  readonly retries: number;
  readonly budget: RetryBudget;
  /** The number of targets of `send`. */
  readonly targets?: number;
  /** Monotonic milliseconds; the same clock as the deadline's. */
  readonly clock: () => number;
  readonly random: () => number;
  /** Resolves after `ms`, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
  readonly onRetry?: (() => void) | undefined;
  /** A 429 is returned at once: the caller handles limits. */
  readonly returnsLimits?: boolean | undefined;
}

/**
 * Retries a request while it is safe, possible before its deadline and within the budget. The last response or fault is
 * final and is marked by `Proxy-Status`.
 */
export function withRetries(send: SendOnce, options: RetryOptions): SendOnce {
  const { retries, budget, targets = 1, clock, random, wait, onRetry, returnsLimits } = options;
  if (retries === 0) return send;

  /** Retries a request after its first outcome. */
  async function retry(request: UpstreamRequest, first: Outcome): Promise<UpstreamResponse> {
    let outcome = first;
    // With several targets, `balance` records which ones were tried.
    const again = targets > 1 ? request : { ...request, isRepeated: true };
    for (let retriesDone = 0; ; retriesDone++) {
      const delayMs =
        retriesDone === retries || ('response' in outcome && isFinal(outcome.response))
          ? undefined
          : decideRetry({
              request,
              outcome,
              retriesDone,
              hasOthers: targets > 1 && (request.tried?.size ?? 0) < targets,
              returnsLimits,
              nowMs: clock(),
              wallClock: Date.now,
              random,
            });
      if (delayMs === undefined || !budget.spend()) {
        markRetried(outcome);
        return unwrap(outcome);
      }
      if ('response' in outcome) discard(outcome.response);
      try {
        await wait(delayMs, request.signal && toAbortSignal(request.signal));
      } catch (error) {
        throw request.signal?.aborted ? requestCancelled(false) : error;
      }
      onRetry?.();
      outcome = await settle(send(again));
    }
  }

  return (given) => {
    const request = targets > 1 && given.tried === undefined ? { ...given, tried: new Set<object>() } : given;
    budget.earn();
    return send(request).then(
      (response) => (isFinal(response) ? response : retry(request, { response })),
      (error: unknown) => retry(request, { error }),
    );
  };
}

/** Whether a response is final. */
function isFinal({ status }: UpstreamResponse): boolean {
  return status < 429;
}

async function settle(sent: Promise<UpstreamResponse>): Promise<Outcome> {
  try {
    return { response: await sent };
  } catch (error) {
    return { error };
  }
}

function unwrap(outcome: Outcome): UpstreamResponse {
  if ('response' in outcome) return outcome.response;
  throw outcome.error;
}

export interface RetryBudgetOptions {
  /** The retries that a request earns: with 0.2, one in five requests is retried in the long run. */
  readonly perRequest?: number;
  /** The initial and maximum number of retries. */
  readonly reserve?: number;
  /** The retries earned by time, for periods with few requests. */
  readonly perSecond?: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Limits retries to a small share of all requests, so that they do not overload a failing upstream. */
export interface RetryBudget {
  /** Counts a request of a caller. */
  earn(): void;
  /** Takes one retry; false when none is left. */
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

export interface DeadlineOptions {
  /** How long the head of the response may take, retries included. */
  readonly timeoutMs: number;
  /** Monotonic milliseconds; the same clock as the upstream's. */
  readonly clock: () => number;
}

/** Sets the deadline of the response head for every request, unless it has an earlier one. */
export function withDeadline(send: SendOnce, { timeoutMs, clock }: DeadlineOptions): SendOnce {
  return (request) => {
    const latestMs = clock() + timeoutMs;
    const { deadlineMs = Number.POSITIVE_INFINITY } = request;
    return send(deadlineMs <= latestMs ? request : { ...request, deadlineMs: latestMs });
  };
}
