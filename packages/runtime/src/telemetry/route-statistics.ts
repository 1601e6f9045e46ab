import { Histogram, type Registry } from 'prom-client';
import type { Route } from '../contract/index.ts';

/** Counts and times of each route in the JSON form of /metrics; times in seconds. */
export interface MetricsBody {
  readonly uptime_seconds: number;
  readonly total_requests: number;
  readonly total_errors: number;
  readonly error_rate: number;
  readonly endpoints: Record<string, EndpointMetrics>;
}

export interface EndpointMetrics {
  readonly count: number;
  readonly average_time: number;
  readonly error_count: number;
  readonly error_rate: number;
  readonly status_codes: Record<string, number>;
}

interface StatusCount {
  readonly histogram: { observe(seconds: number): void };
  count: number;
  seconds: number;
}

export interface RouteStatistics {
  observe(route: Route, method: string, status: number, durationMs: number): void;
  /** Everything but the uptime, from the same observations as the histogram. */
  summarise(): Omit<MetricsBody, 'uptime_seconds'>;
}

/**
 * Counts finished requests by method, route template and status. The label sets are looked up once and kept: an
 * observation is a few map look-ups, and raw paths never become labels.
 */
export function createRouteStatistics(registry: Registry): RouteStatistics {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const byName = new Map<string, Map<number, StatusCount>>();
  // By the route object too: a configuration's routes live long, and this spares building a name for each request.
  const byRoute = new WeakMap<Route, Map<number, StatusCount>>();

  function countsOf(route: Route, method: string): Map<number, StatusCount> {
    const name = `${labelOf(route, method)} ${route.path}`;
    let counts = byName.get(name);
    if (counts === undefined) {
      counts = new Map();
      byName.set(name, counts);
    }
    // What no operation took is counted under the caller's method, which one route object cannot tell.
    if (isMatched(route)) byRoute.set(route, counts);
    return counts;
  }

  return {
    observe(route, method, status, durationMs) {
      const counts = byRoute.get(route) ?? countsOf(route, method);
      let entry = counts.get(status);
      if (entry === undefined) {
        const labels = histogram.labels(labelOf(route, method), route.path, String(status));
        entry = { histogram: labels, count: 0, seconds: 0 };
        counts.set(status, entry);
      }
      const seconds = Math.max(0, durationMs) / 1000;
      entry.count++;
      entry.seconds += seconds;
      entry.histogram.observe(seconds);
    },
    summarise() {
      const endpoints = Object.fromEntries([...byName].map(([name, counts]) => [name, toEndpointMetrics(counts)]));
      const all = Object.values(endpoints);
      const total = all.reduce((sum, { count }) => sum + count, 0);
      const errors = all.reduce((sum, { error_count }) => sum + error_count, 0);
      return { total_requests: total, total_errors: errors, error_rate: rate(errors, total), endpoints };
    },
  };
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function isMatched(route: Route): boolean {
  return route.operationId !== 'unmatched';
}

/** The method of the route; of a request without a route its own, as long as that is one of the usual. */
function labelOf(route: Route, method: string): string {
  if (isMatched(route)) return route.method.toUpperCase();
  return knownMethods.has(method) ? method : 'OTHER';
}

function toEndpointMetrics(counts: ReadonlyMap<number, StatusCount>): EndpointMetrics {
  let count = 0;
  let seconds = 0;
  let errorCount = 0;
  const codes: Record<string, number> = {};
  for (const [status, entry] of counts) {
    count += entry.count;
    seconds += entry.seconds;
    if (status >= 400) errorCount += entry.count;
    codes[status] = entry.count;
  }
  return {
    count,
    average_time: rate(seconds, count),
    error_count: errorCount,
    error_rate: rate(errorCount, count),
    status_codes: codes,
  };
}

function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
