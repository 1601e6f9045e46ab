import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { createTallyCounter, type Tally } from '@rostergate/server/telemetry';
import { Gauge, type Registry } from 'prom-client';

/**
 * The outcome of a request at the limits. When the hit store is unavailable, a request passes as `uncounted` or is
 * rejected as `unavailable`, as configured.
 */
export type LimitDecision = 'admitted' | 'refused' | 'uncounted' | 'unavailable';

/**
 * Returns the counter of decisions, and registers a gauge of the hit store, whose `status` is read with the metrics.
 */
export function createLimitMetrics(
  registry: Registry,
  status: () => DependencyStatus,
): (decision: LimitDecision, violated?: readonly string[]) => void {
  const total = createTallyCounter({
    name: 'rate_limit_decisions_total',
    help: 'Requests that a rate limit applies to, by outcome: admitted, refused (429), uncounted or unavailable (503).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'rate_limit_store_up',
    help: '1 while requests are counted in the configured store, 0 while it is unavailable.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(status().status === 'ready' ? 1 : 0);
    },
  });
  const of = (outcome: LimitDecision) => total.of({ outcome });
  const counters: Readonly<Record<LimitDecision, Tally>> = {
    admitted: of('admitted'),
    refused: of('refused'),
    uncounted: of('uncounted'),
    unavailable: of('unavailable'),
  };
  const violations = createTallyCounter({
    name: 'rate_limit_violations_total',
    help: 'Requests rejected with 429, by policy. A request counts for each policy that it violates.',
    labelNames: ['policy'],
    registers: [registry],
  });
  const byPolicy = new Map<string, Tally>();
  const countViolation = (policy: string): void => {
    let tally = byPolicy.get(policy);
    if (tally === undefined) {
      // Plans are renamed by reloads.
      if (byPolicy.size >= policiesMax) return;
      tally = violations.of({ policy });
      byPolicy.set(policy, tally);
    }
    tally.inc();
  };
  return (decision, violated = []) => {
    counters[decision].inc();
    for (const policy of violated) countViolation(policy);
  };
}

const policiesMax = 1_000;
