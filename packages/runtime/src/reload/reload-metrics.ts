import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReloadOutcome } from './reloader.ts';

/** Counts reloads, and tells when the configuration that runs was last found good. */
export function createReloadMetrics(registry: Registry, clock: () => number): (outcome: ReloadOutcome) => void {
  const total = new Counter({
    name: 'config_reloads_total',
    help: 'Readings of an edited configuration: applied, rejected because of faults, or unchanged.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const succeeded = new Gauge({
    name: 'config_last_reload_success_timestamp_seconds',
    help: 'When the configuration was last read without a fault, in seconds since the epoch.',
    aggregator: 'max',
    registers: [registry],
  });
  for (const outcome of ['applied', 'rejected', 'unchanged'] as const) total.inc({ outcome }, 0);
  succeeded.set(clock() / 1000);
  return ({ outcome }) => {
    total.inc({ outcome });
    if (outcome !== 'rejected') succeeded.set(clock() / 1000);
  };
}
