import { Counter, Gauge, type Registry } from 'prom-client';
import type { DependencyStatus } from '../lifecycle/index.ts';

/**
 * What became of a request at the limits: `uncounted` passed because nobody could count it, `unavailable` was turned
 * away for the same reason; which of them is as configured.
 */
export type LimitDecision = 'admitted' | 'refused' | 'uncounted' | 'unavailable';

/** Counts decisions, and tells whether hits are counted where they should be; `status` is asked when metrics are read. */
export function createLimitMetrics(
  registry: Registry,
  status: () => DependencyStatus,
): (decision: LimitDecision) => void {
  const total = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests at the limits: admitted, refused (429), or not decided because nobody could count.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'rate_limit_store_up',
    help: '1 while hits are counted where the configuration says, 0 while that place is away.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(status().status === 'ready' ? 1 : 0);
    },
  });
  const of = (outcome: LimitDecision) => {
    total.inc({ outcome }, 0);
    return total.labels(outcome);
  };
  const counters: Readonly<Record<LimitDecision, { inc(): void }>> = {
    admitted: of('admitted'),
    refused: of('refused'),
    uncounted: of('uncounted'),
    unavailable: of('unavailable'),
  };
  return (decision) => counters[decision].inc();
}
