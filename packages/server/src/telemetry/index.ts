export type { Figures } from './figures.ts';
export { createLiveMetrics } from './live-metrics.ts';
export { createSharedOutput, describeCause } from './log.ts';
export { createDurationHistogram, createTallyCounter, DurationSeries, Tally } from './stored-series.ts';
export { createTelemetry, loadTracing, type Telemetry, type TelemetryOptions } from './telemetry.ts';
