import { toAbortSignal } from '../contract/call-signal.ts';
import { discard } from './discard.ts';
import type { UpstreamResponse } from './exchange.ts';
import type { RetryBudget } from './retry-budget.ts';
import { decideRetry, type Outcome } from './retry-decision.ts';
import type { SendOnce } from './upstream.ts';
import { callerGone } from './upstream-fault.ts';

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
 * last answer or fault stands. Once an answer has been given it is never asked for again.
 */
export function withRetries(send: SendOnce, options: RetryOptions): SendOnce {
  const { retries, budget, targets = 1, clock, wallClock = Date.now, random, wait, onRetry, relaysLimits } = options;
  if (retries === 0) return send;
  return async (given) => {
    const request = { ...given, tried: given.tried ?? new Set<object>() };
    budget.earn();
    for (let retriesDone = 0; ; retriesDone++) {
      const outcome = await settle(send(request));
      const delayMs =
        retriesDone === retries || ('response' in outcome && outcome.response.status < 429)
          ? undefined
          : decideRetry({
              request,
              outcome,
              retriesDone,
              hasOthers: request.tried.size < targets,
              relaysLimits,
              nowMs: clock(),
              wallClock,
              random,
            });
      if (delayMs === undefined || !budget.spend()) return unwrap(outcome);
      if ('response' in outcome) discard(outcome.response);
      try {
        await wait(delayMs, request.signal && toAbortSignal(request.signal));
      } catch (error) {
        throw request.signal?.aborted ? callerGone(false) : error;
      }
      onRetry?.();
    }
  };
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
