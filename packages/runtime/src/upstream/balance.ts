import { Problem } from '../problem/index.ts';
import type { Prospect } from './breaker.ts';
import { unavailable } from './proxy-status.ts';
import { isOverloadedOrDown, isRepeatable } from './retry-decision.ts';
import { canSendAgain, type SendOnce, type UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import { discard } from './upstream-response.ts';

/** One of several servers that can answer the same requests. */
export interface BalancedTarget {
  readonly send: SendOnce;
  /** Requests on their way there. */
  readonly load: number;
  /** What a request would get there now; undefined while it may not go. */
  passFor(request: UpstreamRequest): Prospect | undefined;
  /** When the next probe may go there. */
  readonly probeAtMs: number;
}

export interface BalanceOptions {
  /** Milliseconds that never go back; the same as the breakers'. */
  readonly clock: () => number;
  readonly random: () => number;
}

/**
 * Sends each request to the less loaded of two targets picked at random, past those whose breakers are open. A target
 * that cannot be reached at all has done nothing, so the next one is asked at once, whatever the method.
 * @throws Problem `unavailable` (503) with Retry-After while every breaker is open.
 */
export function balance(targets: readonly BalancedTarget[], options: BalanceOptions): SendOnce {
  const { clock, random } = options;
  const [only] = targets;
  if (only !== undefined && targets.length === 1) return sendToOne(only, clock);

  return async (request) => {
    const tried = request.tried ?? new Set();
    for (;;) {
      const target = pick(targets, request, tried, random);
      if (target === undefined) throw allOpen(targets, clock());
      const isRepeated = tried.has(target);
      tried.add(target);
      const canGoOn = () =>
        targets.some((other) => !tried.has(other) && other.passFor(request) !== undefined) &&
        canSendAgain(request.body) &&
        clock() < (request.deadlineMs ?? Number.POSITIVE_INFINITY);
      const isProbe = target.passFor(request) === 'probe' && isRepeatable(request) && canGoOn();
      try {
        const sent = isProbe ? withHalfTheTime(request, clock()) : isRepeated ? { ...request, isRepeated } : request;
        const response = await target.send(sent);
        if (!isProbe || !isOverloadedOrDown(response.status) || !canGoOn()) return response;
        discard(response);
      } catch (error) {
        if (!(error instanceof UpstreamFault) || error.reason === 'abandoned') throw error;
        if ((error.wasSent && !isProbe) || !canGoOn()) throw error;
      }
    }
  };
}

/** With nobody else to ask, what becomes of a request there stands. */
function sendToOne(target: BalancedTarget, clock: () => number): SendOnce {
  return (request) => {
    if (target.passFor(request) === undefined) return Promise.reject(allOpen([target], clock()));
    request.tried?.add(target);
    return target.send(request);
  };
}

/** Trying out a target is our own wish: the request that does it can still be answered by another. */
function withHalfTheTime(request: UpstreamRequest, nowMs: number): UpstreamRequest {
  return request.deadlineMs === undefined ? request : { ...request, deadlineMs: (nowMs + request.deadlineMs) / 2 };
}

/**
 * Power of two choices among the best that there are: not asked yet before asked, sound before on probation, and one
 * that may be starting before one that has just failed.
 */
function pick(
  targets: readonly BalancedTarget[],
  request: UpstreamRequest,
  tried: ReadonlySet<object>,
  random: () => number,
): BalancedTarget | undefined {
  let best: BalancedTarget[] = [];
  let bestRank = Number.POSITIVE_INFINITY;
  for (const target of targets) {
    const pass = target.passFor(request);
    if (pass === undefined) continue;
    const rank = pass === 'spare' ? 2 : (tried.has(target) ? 2 : 0) + (pass === 'probe' ? probeRank(request) : 1);
    if (rank > bestRank) continue;
    if (rank < bestRank) best = [];
    bestRank = rank;
    best.push(target);
  }
  if (best.length <= 1) return best[0];
  const i = Math.floor(random() * best.length);
  // Never the same twice: the second is one of the others.
  const j = (i + 1 + Math.floor(random() * (best.length - 1))) % best.length;
  const [a, b] = [best[i], best[j]] as [BalancedTarget, BalancedTarget];
  return b.load < a.load ? b : a;
}

/** A probe goes out first with a request that can be sent again elsewhere, and last with any other. */
function probeRank(request: UpstreamRequest): number {
  return isRepeatable(request) && canSendAgain(request.body) ? 0 : 5;
}

function allOpen(targets: readonly BalancedTarget[], nowMs: number): Problem {
  const waitMs = Math.min(...targets.map((target) => target.probeAtMs)) - nowMs;
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new Problem('unavailable', `The upstream has failed too often and is given a rest. Wait ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds), 'Proxy-Status': unavailable },
  });
}
