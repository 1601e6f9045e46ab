import {
  createDurationHistogram,
  createTallyCounter,
  type DurationSeries,
  type Tally,
} from '@rostergate/server/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { TargetOutcome } from './target.ts';

/** Counts requests to targets, labelled by the hosts of the configuration. */
export interface UpstreamMetrics {
  observe(host: string, outcome: TargetOutcome, durationMs: number): void;
  countRetry(): void;
  /** Removes the series of a host that is no longer used. */
  forget(host: string): void;
}

/** Creates the metrics; `openHosts` is called whenever they are read. */
export function createUpstreamMetrics(registry: Registry, openHosts: () => Iterable<string>): UpstreamMetrics {
  const requests = createTallyCounter({
    name: 'upstream_requests_total',
    help: 'Requests sent to a target of an upstream, retries included, by status class or failure reason.',
    labelNames: ['target', 'outcome'],
    registers: [registry],
  });
  const retries = new Counter({
    name: 'upstream_retries_total',
    help: 'Retried requests.',
    registers: [registry],
  });
  const duration = createDurationHistogram<'target'>({
    name: 'upstream_request_duration_seconds',
    help: 'Time until the head of the response of a target, or its failure.',
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registry,
  });
  const known = new Map<string, HostSeries>();
  new Gauge({
    name: 'upstream_breaker_open',
    help: '1 while the circuit to a target is open or half-open.',
    aggregator: 'max',
    labelNames: ['target'],
    registers: [registry],
    collect() {
      const open = new Set(openHosts());
      this.reset();
      for (const host of known.keys()) this.set({ target: host }, open.has(host) ? 1 : 0);
    },
  });

  /** Caches label sets. */
  function seriesOf(host: string): HostSeries {
    let series = known.get(host);
    if (series === undefined) {
      series = { duration: duration.of({ target: host }), outcomes: new Map() };
      known.set(host, series);
    }
    return series;
  }

  return {
    observe(host, outcome, durationMs) {
      const series = seriesOf(host);
      let counter = series.outcomes.get(outcome);
      if (counter === undefined) {
        counter = requests.of({ target: host, outcome });
        series.outcomes.set(outcome, counter);
      }
      counter.inc();
      series.duration.observe(Math.max(0, durationMs) / 1_000);
    },
    countRetry() {
      retries.inc();
    },
    forget(host) {
      const series = known.get(host);
      if (series === undefined) return;
      known.delete(host);
      for (const tally of series.outcomes.values()) requests.remove(tally);
      duration.remove(series.duration);
    },
  };
}

interface HostSeries {
  readonly duration: DurationSeries;
  readonly outcomes: Map<TargetOutcome, Tally>;
}
