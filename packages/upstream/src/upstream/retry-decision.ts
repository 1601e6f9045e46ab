import { wasRetried } from './proxy-status.ts';
import { canSendAgain, type UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import { type Outcome, readRetryAfter, type UpstreamResponse } from './upstream-response.ts';

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

/** Whether the upstream, or a proxy before it, could not handle the request now. */
export function isOverloadedOrDown(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
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
