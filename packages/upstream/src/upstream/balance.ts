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

/** Targets that share requests; those that fail their health checks may be left out at any time. */
export interface BalancedGroup {
  readonly targets: readonly BalancedTarget[];
}

export interface BalanceOptions {
  /** The share of each target; without it, all are equal. */
  readonly weights?: ReadonlyMap<BalancedTarget, number> | undefined;
  /** Monotonic milliseconds; the same clock as the breakers'. */
  readonly clock: () => number;
  readonly random: () => number;
}

/**
 * Sends each request to the less loaded of two random targets whose breakers are not open, or to a random one by weight
 * and load. After a target that cannot be reached, which has done nothing, it tries the next one at once for any method.
 * @throws Problem `unavailable` (503) with Retry-After while every breaker is open.
 */
export function balance(group: BalancedGroup, options: BalanceOptions): SendOnce {
  const { clock, random, weights } = options;
  const [only] = group.targets;
  if (only !== undefined && group.targets.length === 1) return sendToOne(only, clock);
  const choose = weights === undefined ? createChoiceOfTwo(random) : createWeightedChoice(weights, random);

  return async (request) => {
    const tried = request.tried ?? new Set();
    for (;;) {
      const { targets } = group;
      const target = pick(targets, request, tried, choose);
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

/** Returns one of several targets. */
type Choose = (targets: readonly BalancedTarget[]) => BalancedTarget;

/** Power of two choices: the less loaded of two random targets. */
function createChoiceOfTwo(random: () => number): Choose {
  return (targets) => {
    const i = Math.floor(random() * targets.length);
    // The second choice is never the first one.
    const j = (i + 1 + Math.floor(random() * (targets.length - 1))) % targets.length;
    const [a, b] = [targets[i], targets[j]] as [BalancedTarget, BalancedTarget];
    return b.load < a.load ? b : a;
  };
}

/** A random target in proportion to its weight, divided by its requests in flight and the one to send. */
function createWeightedChoice(weights: ReadonlyMap<BalancedTarget, number>, random: () => number): Choose {
  const shareOf = (target: BalancedTarget) => (weights.get(target) ?? 1) / (target.load + 1);
  return (targets) => {
    let left = random() * targets.reduce((sum, target) => sum + shareOf(target), 0);
    for (const target of targets) {
      left -= shareOf(target);
      if (left < 0) return target;
    }
    return targets.at(-1) as BalancedTarget;
  };
}

/**
 * Picks among the best targets: untried before tried, closed breakers before probes, and one that
 * may be starting before one that has just failed.
 */
function pick(
  targets: readonly BalancedTarget[],
  request: UpstreamRequest,
  tried: ReadonlySet<object>,
  choose: Choose,
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
  return best.length <= 1 ? best[0] : choose(best);
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
