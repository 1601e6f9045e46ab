import { Gauge, type Registry } from 'prom-client';
import type { DependencyStatus } from '../lifecycle/index.ts';
import { createTallyCounter, type Tally } from '../telemetry/tally-counter.ts';

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
  const total = createTallyCounter({
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
  const of = (outcome: LimitDecision) => total.of({ outcome });
  const counters: Readonly<Record<LimitDecision, Tally>> = {
    admitted: of('admitted'),
    refused: of('refused'),
    uncounted: of('uncounted'),
    unavailable: of('unavailable'),
  };
  return (decision) => counters[decision].inc();
}
