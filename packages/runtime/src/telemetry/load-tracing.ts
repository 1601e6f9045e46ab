import type { StartTrace } from '../contract/index.ts';

export interface TracingOptions {
  /** Name of the server, unless `OTEL_SERVICE_NAME` gives another. */
  readonly service: string;
  readonly version: string;
  /** The `OTEL_…` variables; the exporter itself reads those of its own from the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Traces that are recorded and sent to a collector. */
export interface Tracing {
  readonly startTrace: StartTrace;
  /** From now on faults of exporting are told here, and those that have happened. */
  report(tell: (fault: string) => void): void;
  /** Sends what is left, and ends. */
  close(): Promise<void>;
}

/**
 * Sets up OpenTelemetry as the standard environment variables say; undefined when none asks for it, and then nothing
 * of it is loaded.
 */
export async function loadTracing(options: TracingOptions): Promise<Tracing | undefined> {
  if (!isTracingWanted(options.env)) return undefined;
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  return createOpenTelemetry(options);
}

/** Whether any variable names where traces are to go (OpenTelemetry SDK configuration). */
export function isTracingWanted(env: TracingOptions['env']): boolean {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false;
  const exporters = exporterNames(env);
  if (exporters.length > 0) return exporters.some((name) => name !== 'none');
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

export function exporterNames({ OTEL_TRACES_EXPORTER: names = '' }: TracingOptions['env']): string[] {
  return names
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
