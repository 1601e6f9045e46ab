export { createAccessLog, type WriteAccess } from './access-log.ts';
export { type DescribedCause, describeCause } from './describe-cause.ts';
export { createDurationHistogram, type DurationHistogram, DurationSeries } from './duration-histogram.ts';
export type { Figures } from './figures.ts';
export { loadTracing, type Tracing, type TracingOptions } from './load-tracing.ts';
export {
  createRouteStatistics,
  type EndpointMetrics,
  type MetricsBody,
  type RouteStatistics,
} from './route-statistics.ts';
export { createSharedOutput } from './shared-output.ts';
export { createTallyCounter, Tally, type TallyCounter } from './tally-counter.ts';
export { createTelemetry, type MetricsReply, type Telemetry, type TelemetryOptions } from './telemetry.ts';
