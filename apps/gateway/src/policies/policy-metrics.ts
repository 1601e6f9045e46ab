import { createTallyCounter, type Telemetry } from '@rostergate/server/telemetry';
import type { CountRejection } from './policy-run.ts';

/** Returns the counter of requests that policies did not let pass. */
export function createPolicyMetrics(registry: Telemetry['registry']): CountRejection {
  const total = createTallyCounter({
    name: 'policy_rejections_total',
    help: 'Requests that a policy did not let pass or could not change, by policy and outcome: rejected, answered, failed (500) or late (503).',
    labelNames: ['policy', 'outcome'],
    registers: [registry],
  });
  return (policy, outcome) => total.of({ policy, outcome }).inc();
}
