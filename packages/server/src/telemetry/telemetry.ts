import type { Request } from 'express';
import type { DestinationStream, Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Observe, Principal, RawReply, StartTrace } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { type Figures, mergeMetrics, mergeSummaries } from './figures.ts';
import { createAccessLog, createLog, createOutput, flush, type LogOptions } from './log.ts';
import { createRegistry, writeMetricsText } from './metrics-registry.ts';
import { createKeyStatistics, createRouteStatistics, type MetricsBody } from './request-statistics.ts';
import { isTracingWanted, type Tracing, type TracingOptions } from './tracing.ts';

export interface TelemetryOptions {
  /** Name of the server, in every log line and in the metrics. */
  readonly service: string;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly startedMs?: number;
  readonly logLevel: LogOptions['level'];
  /** Standard output by default. */
  readonly logDestination?: DestinationStream;
  /** Returns N to log one in N requests with a status below 400. All others are logged. */
  readonly sampleEvery?: () => number;
  /** Records traces; by default they are only forwarded. */
  readonly tracing?: Tracing | undefined;
  /**
   * Counts requests by the name of the principal. Set it where that is the name of a key, which may appear in /metrics.
   */
  readonly countsKeys?: boolean;
  /** Returns the figures of all processes that serve together, this one included; absent for a single process. */
  readonly figuresOfAll?: () => Promise<readonly Figures[]>;
}

export interface MetricsReply {
  readonly status: 200;
  readonly body: MetricsBody;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Telemetry {
  /** Its level may change at any time. */
  readonly log: Logger;
  /** Starts the trace of a request, for the router; undefined unless traces are recorded. */
  readonly startTrace: StartTrace | undefined;
  readonly registry: Registry;
  /** Records the metrics and the log line of a finished request. */
  readonly observe: Observe<Principal>;
  /** Counts a connection that was rejected before it sent a whole request, for the server. */
  readonly observeRejection: (problem: Problem) => void;
  /** Returns the figures of this process. */
  figures(): Promise<Figures>;
  readonly metricsHandlers: {
    /** Returns Prometheus text, or JSON when the client prefers it, with all routes or the busiest `routes`. */
    getMetrics(
      request: { readonly query?: { readonly routes?: number } },
      context: { readonly req: Pick<Request, 'accepts'> },
    ): Promise<RawReply | MetricsReply>;
  };
  /** Resolves when every trace has been sent and every line written. */
  flush(): Promise<void>;
}

/** Returns the log, metrics and traces of one server process. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { service, version, clock, logLevel, tracing, countsKeys, figuresOfAll } = options;
  const startedMs = options.startedMs ?? clock();
  const destination = options.logDestination ?? createOutput();
  const log = createLog({ service, level: logLevel }, destination);
  const uptimeSeconds = () => Math.max(0, clock() - startedMs) / 1000;
  const registry = createRegistry(service, version, uptimeSeconds);
  const statistics = createRouteStatistics(registry);
  const countKey = countsKeys ? createKeyStatistics(registry) : undefined;
  const rejections = new Counter({
    name: 'http_refused_connections_total',
    help: 'Connections that were closed with a problem before they sent a whole request, by problem code.',
    labelNames: ['code'],
    registers: [registry],
  });
  const writeAccess = createAccessLog(log, options.sampleEvery);
  const headers = { Vary: 'Accept' };
  tracing?.report((fault) => log.warn({ fault }, 'tracing'));

  return {
    log,
    startTrace: tracing?.startTrace,
    registry,
    observe(context, status, durationMs, problem) {
      statistics.observe(context.route, context.req.method, status, durationMs);
      if (countKey !== undefined && context.principal !== null) countKey(context.principal.name, status);
      writeAccess(context, status, durationMs, problem);
      if (tracing !== undefined) context.trace.end({ status, problem, principal: context.principal?.name });
    },
    observeRejection: ({ code }) => rejections.inc({ code }),
    async figures() {
      return { metrics: await registry.getMetricsAsJSON(), summary: statistics.summarise() };
    },
    metricsHandlers: {
      async getMetrics({ query }, { req }) {
        // The type includes its parameters, so that clients may name them (RFC 9110 §12.5.1).
        const form = req.accepts([registry.contentType, 'application/json']);
        if (form === false) {
          throw new Problem('not_acceptable', 'Accept text/plain (Prometheus text) or application/json.');
        }
        if (form === 'application/json') {
          const body =
            figuresOfAll === undefined
              ? { uptime_seconds: uptimeSeconds(), ...statistics.summarise(query?.routes) }
              : mergeSummaries(await figuresOfAll(), query?.routes);
          return { status: 200, body, headers };
        }
        const raw =
          figuresOfAll === undefined ? await writeMetricsText(registry) : await mergeMetrics(await figuresOfAll());
        return { status: 200, raw, contentType: registry.contentType, headers };
      },
    },
    async flush() {
      await tracing?.close();
      await flush(destination);
    },
  };
}

/**
 * Sets up OpenTelemetry by its standard environment variables. Returns undefined, and loads none of its code, when no
 * variable enables it.
 */
export async function loadTracing(options: TracingOptions): Promise<Tracing | undefined> {
  if (!isTracingWanted(options.env)) return undefined;
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  return createOpenTelemetry(options);
}
