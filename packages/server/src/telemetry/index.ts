export { describeCause } from './describe-cause.ts';
export { createDurationHistogram, DurationSeries } from './duration-histogram.ts';
export type { Figures } from './figures.ts';
export { createSharedOutput } from './log.ts';
export { createTallyCounter, Tally } from './tally-counter.ts';
export { createTelemetry, loadTracing, type Telemetry, type TelemetryOptions } from './telemetry.ts';
