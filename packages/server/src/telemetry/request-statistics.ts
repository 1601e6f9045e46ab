import type { Registry } from 'prom-client';
import { type Route, unmatchedRoute } from '../contract/index.ts';
import { createDurationHistogram, createTallyCounter, type DurationSeries, type Tally } from './stored-series.ts';

/** Counts and times of each route in the JSON form of /metrics; times in seconds. */
export interface MetricsBody {
  readonly uptime_seconds: number;
  readonly total_requests: number;
  readonly total_errors: number;
  readonly error_rate: number;
  /** Sum of the times of all requests. */
  readonly total_time: number;
  /** Requests that took at most `le` seconds: cumulative, as in the histogram. */
  readonly duration_buckets: { readonly le: number; readonly count: number }[];
  readonly endpoints: Record<string, EndpointMetrics>;
}

export interface EndpointMetrics {
  readonly count: number;
  readonly average_time: number;
  readonly error_count: number;
  readonly error_rate: number;
  readonly status_codes: Record<string, number>;
}

interface RouteCounts {
  readonly method: string;
  readonly path: string;
  readonly byStatus: Map<number, DurationSeries>;
  count: number;
  errors: number;
  seconds: number;
}

export interface RouteStatistics {
  observe(route: Route, method: string, status: number, durationMs: number): void;
  /**
   * Returns everything but the uptime, from the same observations as the histogram.
   * @param routesMax number of routes to list, the busiest first; by default all, in the order of their first request
   */
  summarise(routesMax?: number): Omit<MetricsBody, 'uptime_seconds'>;
}

/** Bounds in seconds: a response from memory takes less than a millisecond, a slow upstream several seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Routes that are counted separately; those of former configurations keep their counts. */
const routesMax = 20_000;

/**
 * Returns counters of finished requests by method, route template and status. Each set of labels is looked up once, so
 * an observation costs two map lookups. Raw paths never become labels.
 */
export function createRouteStatistics(registry: Registry): RouteStatistics {
  const histogram = createDurationHistogram<'method' | 'route' | 'status'>({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by route template.',
    bounds: durationBounds,
    registry,
  });
  const byName = new Map<string, RouteCounts>();
  // By route object too, because building a name for each request costs more.
  const byRoute = new WeakMap<Route, RouteCounts>();
  const all = { count: 0, errors: 0, seconds: 0, inBucket: new Float64Array(durationBounds.length + 1) };

  function countsOf(route: Route, method: string): RouteCounts {
    let [verb, path] = [methodLabelOf(route, method), route.path];
    let counts = byName.get(`${verb} ${path}`);
    if (counts === undefined && byName.size >= routesMax) {
      [verb, path] = ['OTHER', 'other'];
      counts = byName.get(`${verb} ${path}`);
    }
    if (counts === undefined) {
      counts = { method: verb, path, count: 0, errors: 0, seconds: 0, byStatus: new Map() };
      byName.set(`${verb} ${path}`, counts);
    }
    // An unmatched route is one object for requests of any method.
    if (isMatched(route)) byRoute.set(route, counts);
    return counts;
  }

  return {
    observe(route, method, status, durationMs) {
      const counts = byRoute.get(route) ?? countsOf(route, method);
      let series = counts.byStatus.get(status);
      if (series === undefined) {
        series = histogram.of({ method: counts.method, route: counts.path, status: String(status) });
        counts.byStatus.set(status, series);
      }
      const seconds = Math.max(0, durationMs) / 1000;
      const errors = status >= 400 ? 1 : 0;
      const bucket = series.observe(seconds);
      counts.count++;
      counts.errors += errors;
      counts.seconds += seconds;
      all.count++;
      all.errors += errors;
      all.seconds += seconds;
      (all.inBucket[bucket] as number)++;
    },
    summarise(listedMax) {
      const listed =
        listedMax === undefined
          ? [...byName.values()]
          : [...byName.values()].sort((a, b) => b.count - a.count).slice(0, listedMax);
      let cumulative = 0;
      return {
        total_requests: all.count,
        total_errors: all.errors,
        error_rate: rate(all.errors, all.count),
        total_time: all.seconds,
        duration_buckets: durationBounds.map((le, i) => {
          cumulative += all.inBucket[i] as number;
          return { le, count: cumulative };
        }),
        endpoints: Object.fromEntries(listed.map((counts) => [`${counts.method} ${counts.path}`, metricsOf(counts)])),
      };
    },
  };
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function isMatched(route: Route): boolean {
  return route.operationId !== unmatchedRoute.operationId;
}

/** Returns the method of the route; for an unmatched request its own, if it is a common one. */
function methodLabelOf(route: Route, method: string): string {
  if (isMatched(route)) return route.method.toUpperCase();
  return knownMethods.has(method) ? method : 'OTHER';
}

function metricsOf({ count, errors, seconds, byStatus }: RouteCounts): EndpointMetrics {
  return {
    count,
    average_time: rate(seconds, count),
    error_count: errors,
    error_rate: rate(errors, count),
    status_codes: Object.fromEntries([...byStatus].map(([status, { counts }]) => [status, sumOf(counts)])),
  };
}

function sumOf(counts: Float64Array): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

/** Returns the quotient, or 0 when the whole is 0. */
export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Keys that are counted separately; those of former configurations keep their counts. */
const keysMax = 10_000;

/**
 * Returns a counter of finished requests by the name of the key and the status; never by the key itself. Callers named
 * `<issuer>:<claim>` are counted together as `<issuer>:*`, because there may be any number of them.
 */
export function createKeyStatistics(registry: Registry): (name: string, status: number) => void {
  const counter = createTallyCounter({
    name: 'http_requests_by_key_total',
    help: 'Finished requests with a valid key, by the name of the key.',
    labelNames: ['key', 'status'],
    registers: [registry],
  });
  const known = new Map<string, Map<number, Tally>>();
  return (name, status) => {
    let label = name;
    let byStatus = known.get(name);
    if (byStatus === undefined) {
      const colon = name.indexOf(':');
      if (colon >= 0) {
        label = `${name.slice(0, colon)}:*`;
        byStatus = known.get(label);
      }
    }
    if (byStatus === undefined) {
      if (known.size >= keysMax) return;
      byStatus = new Map();
      known.set(label, byStatus);
    }
    let count = byStatus.get(status);
    if (count === undefined) {
      count = counter.of({ key: label, status: String(status) });
      byStatus.set(status, count);
    }
    count.inc();
  };
}
