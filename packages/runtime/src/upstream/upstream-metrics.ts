import { Counter, Gauge, type Registry } from 'prom-client';
import { createDurationHistogram, type DurationSeries } from '../telemetry/duration-histogram.ts';
import { createTallyCounter, type Tally } from '../telemetry/tally-counter.ts';
import type { TargetOutcome } from './target.ts';

/** Counts what goes out. Targets are labelled by host, of which there are as many as the configuration names. */
export interface UpstreamMetrics {
  observe(host: string, outcome: TargetOutcome, durationMs: number): void;
  countRetry(): void;
  /** Drops the series of a host that nobody asks any more. */
  forget(host: string): void;
}

/** `openHosts` is asked whenever the metrics are read. */
export function createUpstreamMetrics(registry: Registry, openHosts: () => Iterable<string>): UpstreamMetrics {
  const requests = createTallyCounter({
    name: 'upstream_requests_total',
    help: 'Requests sent to a target of an upstream, retries included, by class of status or reason of failure.',
    labelNames: ['target', 'outcome'],
    registers: [registry],
  });
  const retries = new Counter({
    name: 'upstream_retries_total',
    help: 'Requests that were sent again.',
    registers: [registry],
  });
  const duration = createDurationHistogram<'target'>({
    name: 'upstream_request_duration_seconds',
    help: 'Time until the head of the answer of a target, or its failure.',
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registry,
  });
  const known = new Map<string, HostSeries>();
  new Gauge({
    name: 'upstream_breaker_open',
    help: '1 while nothing, or one probe at most, is sent to a target because it failed too often.',
    aggregator: 'max',
    labelNames: ['target'],
    registers: [registry],
    collect() {
      const open = new Set(openHosts());
      this.reset();
      for (const host of known.keys()) this.set({ target: host }, open.has(host) ? 1 : 0);
    },
  });

  /** Label sets are looked up once and kept. */
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
