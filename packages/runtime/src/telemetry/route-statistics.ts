import type { Registry } from 'prom-client';
import type { Route } from '../contract/index.ts';
import { createDurationHistogram, type DurationSeries } from './duration-histogram.ts';

/** Counts and times of each route in the JSON form of /metrics; times in seconds. */
export interface MetricsBody {
  readonly uptime_seconds: number;
  readonly total_requests: number;
  readonly total_errors: number;
  readonly error_rate: number;
  /** Sum of the times of all requests. */
  readonly total_time: number;
  /** How many requests took at most `le` seconds: cumulative, as in the histogram. */
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

interface StatusCount {
  readonly histogram: DurationSeries;
  count: number;
}

interface RouteCounts {
  readonly method: string;
  readonly path: string;
  readonly byStatus: Map<number, StatusCount>;
  count: number;
  errors: number;
  seconds: number;
}

export interface RouteStatistics {
  observe(route: Route, method: string, status: number, durationMs: number): void;
  /**
   * Everything but the uptime, from the same observations as the histogram.
   * @param routesMax how many routes to list, the busiest first; all in the order of their first request when absent
   */
  summarise(routesMax?: number): Omit<MetricsBody, 'uptime_seconds'>;
}

/** Bounds in seconds: an answer from memory takes less than a millisecond, a slow upstream some seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Routes of configurations long gone keep their counts; this many are told apart. */
const routesKnownMax = 20_000;

/**
 * Counts finished requests by method, route template and status. The label sets are looked up once and kept: an
 * observation is a few map look-ups, and raw paths never become labels.
 */
export function createRouteStatistics(registry: Registry): RouteStatistics {
  const histogram = createDurationHistogram<'method' | 'route' | 'status'>({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by route template.',
    bounds: durationBounds,
    registry,
  });
  const byName = new Map<string, RouteCounts>();
  // By the route object too: a configuration's routes live long, and this spares building a name for each request.
  const byRoute = new WeakMap<Route, RouteCounts>();
  const all = { count: 0, errors: 0, seconds: 0, inBucket: new Float64Array(durationBounds.length + 1) };

  function countsOf(route: Route, method: string): RouteCounts {
    let [verb, path] = [labelOf(route, method), route.path];
    let counts = byName.get(`${verb} ${path}`);
    if (counts === undefined && byName.size >= routesKnownMax) {
      [verb, path] = ['OTHER', 'other'];
      counts = byName.get(`${verb} ${path}`);
    }
    if (counts === undefined) {
      counts = { method: verb, path, count: 0, errors: 0, seconds: 0, byStatus: new Map() };
      byName.set(`${verb} ${path}`, counts);
    }
    // What no operation took is counted under the caller's method, which one route object cannot tell.
    if (isMatched(route)) byRoute.set(route, counts);
    return counts;
  }

  return {
    observe(route, method, status, durationMs) {
      const counts = byRoute.get(route) ?? countsOf(route, method);
      let entry = counts.byStatus.get(status);
      if (entry === undefined) {
        entry = {
          histogram: histogram.of({ method: counts.method, route: counts.path, status: String(status) }),
          count: 0,
        };
        counts.byStatus.set(status, entry);
      }
      const seconds = Math.max(0, durationMs) / 1000;
      const errors = status >= 400 ? 1 : 0;
      entry.count++;
      entry.histogram.observe(seconds);
      counts.count++;
      counts.errors += errors;
      counts.seconds += seconds;
      all.count++;
      all.errors += errors;
      all.seconds += seconds;
      let bucket = 0;
      while (bucket < durationBounds.length && seconds > (durationBounds[bucket] as number)) bucket++;
      (all.inBucket[bucket] as number)++;
    },
    summarise(routesMax) {
      const listed =
        routesMax === undefined
          ? [...byName.values()]
          : [...byName.values()].sort((a, b) => b.count - a.count).slice(0, routesMax);
      let upTo = 0;
      return {
        total_requests: all.count,
        total_errors: all.errors,
        error_rate: rate(all.errors, all.count),
        total_time: all.seconds,
        duration_buckets: durationBounds.map((le, i) => {
          upTo += all.inBucket[i] as number;
          return { le, count: upTo };
        }),
        endpoints: Object.fromEntries(listed.map((counts) => [`${counts.method} ${counts.path}`, metricsOf(counts)])),
      };
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

function metricsOf({ count, errors, seconds, byStatus }: RouteCounts): EndpointMetrics {
  return {
    count,
    average_time: rate(seconds, count),
    error_count: errors,
    error_rate: rate(errors, count),
    status_codes: Object.fromEntries([...byStatus].map(([status, entry]) => [status, entry.count])),
  };
}

/** A part of the whole; of nothing, nothing. */
export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
