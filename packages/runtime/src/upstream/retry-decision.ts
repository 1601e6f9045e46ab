import { wasRetried } from './proxy-status.ts';
import { canSendAgain, type UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import { type Outcome, readRetryAfter, type UpstreamResponse } from './upstream-response.ts';

export interface RetryCircumstances {
  readonly request: UpstreamRequest;
  readonly outcome: Outcome;
  /** How many retries there have been. */
  readonly retriesDone: number;
  /** Whether a target is left that has not been asked. */
  readonly hasOthers: boolean;
  /** A limit is for the caller to deal with: a 429 stands. */
  readonly relaysLimits?: boolean | undefined;
  /** By the same clock as the request's deadline. */
  readonly nowMs: number;
  readonly wallClock: () => number;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/**
 * How long to wait before a request is sent again, or undefined when this outcome stands. Again goes what may be done
 * twice (RFC 9110 §9.2.2), and what certainly was not done at all; never what cannot be sent as it was, and never what
 * could not be answered any more by its deadline.
 */
export function decideRetry(circumstances: RetryCircumstances): number | undefined {
  const { request, outcome, nowMs } = circumstances;
  if (!canSendAgain(request.body) || !isWorthwhile(circumstances)) return undefined;
  const delayMs = ('response' in outcome ? askedDelay(circumstances) : undefined) ?? jitteredDelay(circumstances);
  return nowMs + delayMs < (request.deadlineMs ?? Number.POSITIVE_INFINITY) ? delayMs : undefined;
}

export function isIdempotent(method: string): boolean {
  return idempotentMethods.has(method);
}

/** Whether doing the request twice does no more than doing it once. */
export function isRepeatable({ method, isRepeatable = isIdempotent(method) }: UpstreamRequest): boolean {
  return isRepeatable;
}

/** The status says that the upstream, or what stands before it, could not do its work now. */
export function isOverloadedOrDown(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
const firstDelayMs = 50;
const delayMsMax = 2_000;

function isWorthwhile({ request, outcome, hasOthers, relaysLimits, wallClock }: RetryCircumstances): boolean {
  if ('response' in outcome) {
    const { status, headers } = outcome.response;
    if (!isRepeatable(request)) return false;
    if (status === 429) return relaysLimits !== true && readRetryAfter(headers, wallClock) !== undefined;
    return isOverloadedOrDown(status) && (hasOthers || !wasRetried(outcome.response));
  }
  const { error } = outcome;
  if (!(error instanceof UpstreamFault) || error.reason === 'abandoned') return false;
  return !error.wasSent || isRepeatable(request);
}

/** What one target asks for does not bind the others; a limit holds for all of them. */
function askedDelay({ outcome, hasOthers, wallClock }: RetryCircumstances): number | undefined {
  const { status, headers } = (outcome as { response: UpstreamResponse }).response;
  return hasOthers && status !== 429 ? undefined : readRetryAfter(headers, wallClock);
}

/** Full jitter: anything up to a bound that doubles, so that callers who failed together do not come back together. */
function jitteredDelay({ retriesDone, random }: RetryCircumstances): number {
  return random() * Math.min(delayMsMax, firstDelayMs * 2 ** retriesDone);
}
