import { Problem } from '@rostergate/server/problem';
import type { Admission } from './breaker.ts';
import { unavailable } from './proxy-status.ts';
import { isRepeatable } from './retries.ts';
import { canSendAgain, isOverloadedOrDown, type SendOnce, type UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import { discard } from './upstream-response.ts';

/** One of several equivalent servers. */
export interface BalancedTarget {
  readonly send: SendOnce;
  /** Requests in flight to it. */
  readonly load: number;
  /** Whether the target accepts a request now, and how; undefined while its breaker rejects it. */
  admissionFor(request: UpstreamRequest): Admission | undefined;
  /** When the next probe may be sent. */
  readonly probeAtMs: number;
}

export interface BalanceOptions {
  /** Monotonic milliseconds; the same clock as the breakers'. */
  readonly clock: () => number;
  readonly random: () => number;
}

/**
 * Sends each request to the less loaded of two random targets whose breakers are not open. After a target that cannot be
 * reached, which has done nothing, it tries the next one at once for any method.
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
      const canTryAnother = () =>
        targets.some((other) => !tried.has(other) && other.admissionFor(request) !== undefined) &&
        canSendAgain(request.body) &&
        clock() < (request.deadlineMs ?? Number.POSITIVE_INFINITY);
      const isProbe = target.admissionFor(request) === 'probe' && isRepeatable(request) && canTryAnother();
      try {
        const sent = isProbe ? withHalfTheTime(request, clock()) : isRepeated ? { ...request, isRepeated } : request;
        const response = await target.send(sent);
        if (!isProbe || !isOverloadedOrDown(response.status) || !canTryAnother()) return response;
        discard(response);
      } catch (error) {
        if (!(error instanceof UpstreamFault) || error.reason === 'abandoned') throw error;
        if ((error.wasSent && !isProbe) || !canTryAnother()) throw error;
      }
    }
  };
}

/** With a single target, its outcome is final. */
function sendToOne(target: BalancedTarget, clock: () => number): SendOnce {
  return (request) => {
    if (target.admissionFor(request) === undefined) return Promise.reject(allOpen([target], clock()));
    request.tried?.add(target);
    return target.send(request);
  };
}

/** Leaves half of the time for another target after a failed probe. */
function withHalfTheTime(request: UpstreamRequest, nowMs: number): UpstreamRequest {
  return request.deadlineMs === undefined ? request : { ...request, deadlineMs: (nowMs + request.deadlineMs) / 2 };
}

/**
 * Picks by power of two choices among the best targets: untried before tried, closed breakers before probes, and one that
 * may be starting before one that has just failed.
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
    const admission = target.admissionFor(request);
    if (admission === undefined) continue;
    const rank =
      admission === 'spare' ? 2 : (tried.has(target) ? 2 : 0) + (admission === 'probe' ? probeRank(request) : 1);
    if (rank > bestRank) continue;
    if (rank < bestRank) best = [];
    bestRank = rank;
    best.push(target);
  }
  if (best.length <= 1) return best[0];
  const i = Math.floor(random() * best.length);
  // The second choice is never the first one.
  const j = (i + 1 + Math.floor(random() * (best.length - 1))) % best.length;
  const [a, b] = [best[i], best[j]] as [BalancedTarget, BalancedTarget];
  return b.load < a.load ? b : a;
}

/** A probe comes first for a request that can be sent again elsewhere, and last for any other. */
function probeRank(request: UpstreamRequest): number {
  return isRepeatable(request) && canSendAgain(request.body) ? 0 : 5;
}

function allOpen(targets: readonly BalancedTarget[], nowMs: number): Problem {
  const waitMs = Math.min(...targets.map((target) => target.probeAtMs)) - nowMs;
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new Problem(
    'unavailable',
    `The circuit to the upstream is open after too many failures. Retry in ${seconds} s.`,
    {
      headers: { 'Retry-After': String(seconds), 'Proxy-Status': unavailable },
    },
  );
}
