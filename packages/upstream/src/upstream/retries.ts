import { toAbortSignal } from '@rostergate/server';
import { markRetried, wasRetried } from './proxy-status.ts';
import { canSendAgain, isOverloadedOrDown, type SendOnce, type UpstreamRequest } from './upstream.ts';
import { requestCancelled, UpstreamFault } from './upstream-fault.ts';
import { discard, type Outcome, readRetryAfter, type UpstreamResponse } from './upstream-response.ts';

export interface RetryOptions {
  /** The maximum number of retries per request. */
  readonly retries: number;
  readonly budget: RetryBudget;
  /** The number of targets of `send`. */
  readonly targets?: number;
  /** Returns how many of them receive requests now; by default all. */
  readonly available?: () => number;
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
  const { available = () => targets } = options;
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
              hasOthers: targets > 1 && (request.tried?.size ?? 0) < available(),
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

export interface RetryCircumstances {
  readonly request: UpstreamRequest;
  readonly outcome: Outcome;
  /** The number of retries so far. */
  readonly retriesDone: number;
  /** Whether another target has not been tried. */
  readonly hasOthers: boolean;
  /** A 429 is final: the caller handles limits. */
  readonly returnsLimits?: boolean | undefined;
  /** By the clock of the request's deadline. */
  readonly nowMs: number;
  readonly wallClock: () => number;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

/**
 * Returns the delay before a retry; undefined when the outcome is final. It retries repeatable requests (RFC 9110
 * §9.2.2) and those that were certainly not sent, if the body can be sent again before the deadline.
 */
export function decideRetry(circumstances: RetryCircumstances): number | undefined {
  const { request, outcome, nowMs } = circumstances;
  if (!canSendAgain(request.body) || !isRetryable(circumstances)) return undefined;
  const delayMs = ('response' in outcome ? requestedDelay(circumstances) : undefined) ?? jitteredDelay(circumstances);
  return nowMs + delayMs < (request.deadlineMs ?? Number.POSITIVE_INFINITY) ? delayMs : undefined;
}

function isIdempotent(method: string): boolean {
  return idempotentMethods.has(method);
}

/** Whether the request has the same effect when it is sent twice. */
export function isRepeatable({ method, isRepeatable = isIdempotent(method) }: UpstreamRequest): boolean {
  return isRepeatable;
}

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
const firstDelayMs = 50;
const delayMsMax = 2_000;

function isRetryable({ request, outcome, hasOthers, returnsLimits, wallClock }: RetryCircumstances): boolean {
  if ('response' in outcome) {
    const { status, headers } = outcome.response;
    if (!isRepeatable(request)) return false;
    if (status === 429) return returnsLimits !== true && readRetryAfter(headers, wallClock) !== undefined;
    return isOverloadedOrDown(status) && (hasOthers || !wasRetried(outcome.response));
  }
  const { error } = outcome;
  if (!(error instanceof UpstreamFault) || error.reason === 'abandoned') return false;
  return !error.wasSent || isRepeatable(request);
}

/** Returns the delay that the response asks for. One of a single target does not apply to others; a limit does. */
function requestedDelay({ outcome, hasOthers, wallClock }: RetryCircumstances): number | undefined {
  const { status, headers } = (outcome as { response: UpstreamResponse }).response;
  return hasOthers && status !== 429 ? undefined : readRetryAfter(headers, wallClock);
}

/** Full jitter: a random delay up to a doubling bound, so that failed requests do not return together. */
function jitteredDelay({ retriesDone, random }: RetryCircumstances): number {
  return random() * Math.min(delayMsMax, firstDelayMs * 2 ** retriesDone);
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
