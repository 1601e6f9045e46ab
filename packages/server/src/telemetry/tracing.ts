import type { StartTrace } from '../contract/index.ts';

export interface TracingOptions {
  /** Name of the server, unless `OTEL_SERVICE_NAME` overrides it. */
  readonly service: string;
  readonly version: string;
  /** The `OTEL_…` variables. The exporter reads its own variables from the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Records traces and sends them to a collector. */
export interface Tracing {
  readonly startTrace: StartTrace;
  /** Reports export faults to the listener, earlier ones included. */
  report(listener: (fault: string) => void): void;
  /** Sends the remaining spans, and stops. */
  close(): Promise<void>;
}

/** Returns whether any variable names a destination of traces (OpenTelemetry SDK configuration). */
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
