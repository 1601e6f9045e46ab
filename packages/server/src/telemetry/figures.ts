import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { uptimeName } from './metrics-registry.ts';
import { type EndpointMetrics, type MetricsBody, rate } from './request-statistics.ts';

/** The metrics of one process as plain data, for another process. */
export interface Figures {
  readonly metrics: readonly MetricObjectWithValues<MetricValue<string>>[];
  /** Null for a process that serves no requests itself. */
  readonly summary: Omit<MetricsBody, 'uptime_seconds'> | null;
}

/** Returns the Prometheus text of several processes: the sums of their counts, and each gauge by its own aggregator. */
export function mergeMetrics(all: readonly Figures[]): Promise<string> {
  const metrics = all.map((figures) => figures.metrics) as unknown as object[];
  // prom-client declares this as one object for each process, but reads one list for each.
  return AggregatorRegistry.aggregate(metrics).metrics();
}

/** Returns the JSON form of several processes as if they were one. */
export function mergeSummaries(all: readonly Figures[], routesMax?: number): MetricsBody {
  const summaries = all.flatMap(({ summary }) => (summary === null ? [] : [summary]));
  const sum = (read: (summary: (typeof summaries)[number]) => number) =>
    summaries.reduce((n, each) => n + read(each), 0);
  const requests = sum((each) => each.total_requests);
  const errors = sum((each) => each.total_errors);
  const endpoints = new Map<string, EndpointMetrics>();
  for (const summary of summaries) {
    for (const [name, figures] of Object.entries(summary.endpoints)) {
      const known = endpoints.get(name);
      endpoints.set(name, known === undefined ? figures : addEndpoints(known, figures));
    }
  }
  const uptimes = all.flatMap(({ metrics }) => metrics.find(({ name }) => name === uptimeName)?.values ?? []);
  const busiest = routesMax === undefined ? [...endpoints] : byCount(endpoints).slice(0, routesMax);
  return {
    uptime_seconds: Math.max(0, ...uptimes.map(({ value }) => value)),
    total_requests: requests,
    total_errors: errors,
    error_rate: rate(errors, requests),
    total_time: sum((each) => each.total_time),
    duration_buckets: (summaries[0]?.duration_buckets ?? []).map(({ le }, i) => ({
      le,
      count: sum((each) => each.duration_buckets[i]?.count ?? 0),
    })),
    endpoints: Object.fromEntries(busiest),
  };
}

function addEndpoints(a: EndpointMetrics, b: EndpointMetrics): EndpointMetrics {
  const count = a.count + b.count;
  const errors = a.error_count + b.error_count;
  const codes = new Set([...Object.keys(a.status_codes), ...Object.keys(b.status_codes)]);
  return {
    count,
    average_time: rate(a.average_time * a.count + b.average_time * b.count, count),
    error_count: errors,
    error_rate: rate(errors, count),
    status_codes: Object.fromEntries(
      [...codes].map((code) => [code, (a.status_codes[code] ?? 0) + (b.status_codes[code] ?? 0)]),
    ),
  };
}

function byCount(endpoints: ReadonlyMap<string, EndpointMetrics>): [string, EndpointMetrics][] {
  return [...endpoints].sort(([, a], [, b]) => b.count - a.count);
}
