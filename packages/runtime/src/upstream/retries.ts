import { toAbortSignal } from '../contract/call-signal.ts';
import { markRetried } from './proxy-status.ts';
import { decideRetry } from './retry-decision.ts';
import type { SendOnce, UpstreamRequest } from './upstream.ts';
import { callerGone } from './upstream-fault.ts';
import { discard, type Outcome, type UpstreamResponse } from './upstream-response.ts';

export interface RetryOptions {
  /** How often one request may be sent again. */
  readonly retries: number;
  readonly budget: RetryBudget;
  /** How many targets stand behind `send`. */
  readonly targets?: number;
  /** Milliseconds that never go back; the same as the deadline's. */
  readonly clock: () => number;
  /** Milliseconds since the epoch, for dates in answers. */
  readonly wallClock?: () => number;
  readonly random: () => number;
  /** Resolves after so many milliseconds, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
  readonly onRetry?: (() => void) | undefined;
  /** A 429 stands: whoever asks has its own way to keep a limit. */
  readonly relaysLimits?: boolean | undefined;
}

/**
 * Sends a request again while that is safe, has a chance before its deadline and is within the budget. Otherwise the
 * last answer or fault stands, marked by `Proxy-Status`. Once an answer has been given it is never asked for again.
 */
export function withRetries(send: SendOnce, options: RetryOptions): SendOnce {
  const { retries, budget, targets = 1, clock, wallClock = Date.now, random, wait, onRetry, relaysLimits } = options;
  if (retries === 0) return send;

  /** What becomes of a request whose first try came to this. */
  async function goOn(request: UpstreamRequest, first: Outcome): Promise<UpstreamResponse> {
    let outcome = first;
    // With several targets the choice among them knows which of them was asked.
    const again = targets > 1 ? request : { ...request, isRepeated: true };
    for (let retriesDone = 0; ; retriesDone++) {
      const delayMs =
        retriesDone === retries || ('response' in outcome && isGood(outcome.response))
          ? undefined
          : decideRetry({
              request,
              outcome,
              retriesDone,
              hasOthers: targets > 1 && (request.tried?.size ?? 0) < targets,
              relaysLimits,
              nowMs: clock(),
              wallClock,
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
        throw request.signal?.aborted ? callerGone(false) : error;
      }
      onRetry?.();
      outcome = await settle(send(again));
    }
  }

  return (given) => {
    const request = targets > 1 && given.tried === undefined ? { ...given, tried: new Set<object>() } : given;
    budget.earn();
    return send(request).then(
      (response) => (isGood(response) ? response : goOn(request, { response })),
      (error: unknown) => goOn(request, { error }),
    );
  };
}

/** Nothing that asks for another try. */
function isGood({ status }: UpstreamResponse): boolean {
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

export interface DeadlineOptions {
  /** How long the head of the answer may take, whatever is tried on the way. */
  readonly timeoutMs: number;
  /** Milliseconds that never go back; the same as the upstream's. */
  readonly clock: () => number;
}

/** Gives every request the moment by which its answer must begin; an earlier one that it has already stays. */
export function withDeadline(send: SendOnce, { timeoutMs, clock }: DeadlineOptions): SendOnce {
  return (request) => {
    const latestMs = clock() + timeoutMs;
    const { deadlineMs = Number.POSITIVE_INFINITY } = request;
    return send(deadlineMs <= latestMs ? request : { ...request, deadlineMs: latestMs });
  };
}
