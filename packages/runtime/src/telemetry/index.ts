export { createAccessLog, type WriteAccess } from './access-log.ts';
export type { Figures } from './figures.ts';
export {
  createRouteStatistics,
  type EndpointMetrics,
  type MetricsBody,
  type RouteStatistics,
} from './route-statistics.ts';
export { createTelemetry, type MetricsReply, type Telemetry, type TelemetryOptions } from './telemetry.ts';
