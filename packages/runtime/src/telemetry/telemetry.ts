import type { Request } from 'express';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Observe, Principal, RawReply, StartTrace } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { createAccessLog } from './access-log.ts';
import { describeCause } from './describe-cause.ts';
import { type Figures, mergeMetrics, mergeSummaries } from './figures.ts';
import { createKeyStatistics } from './key-statistics.ts';
import type { Tracing } from './load-tracing.ts';
import { writeMetricsText } from './metrics-text.ts';
import { createRouteStatistics, type MetricsBody } from './route-statistics.ts';
import { createOutput } from './shared-output.ts';

export interface TelemetryOptions {
  /** Name of the server, in every log line and in the metrics. */
  readonly service: string;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly startedMs?: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Where lines go; standard output by default. */
  readonly logDestination?: DestinationStream;
  /** Of requests answered below 400 one in so many is logged, of now; errors always are. */
  readonly sampleEvery?: () => number;
  /** Records traces; without it they only pass through. */
  readonly tracing?: Tracing | undefined;
  /** Count requests by the name of the principal: where that is the name of a key, which may be read in /metrics. */
  readonly countsKeys?: boolean;
  /** The figures of all processes that serve together, this one included; absent when it is the only one. */
  readonly figuresOfAll?: () => Promise<readonly Figures[]>;
}

export interface MetricsReply {
  readonly status: 200;
  readonly body: MetricsBody;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Telemetry {
  /** Its level may be set at any time. */
  readonly log: Logger;
  /** Begins the trace of a request, when traces are recorded; for the router. */
  readonly startTrace: StartTrace | undefined;
  readonly registry: Registry;
  /** The contract's observer: metrics and log line of one finished request. */
  readonly observe: Observe<Principal>;
  /** Counts what was answered before there was a request to observe; for the server. */
  readonly observeRefusal: (problem: Problem) => void;
  /** What this process has measured. */
  figures(): Promise<Figures>;
  readonly metricsHandlers: {
    /** Prometheus text, or JSON when the caller prefers it: with all routes, or as many of the busiest as asked for. */
    getMetrics(
      request: { readonly query?: { readonly routes?: number } },
      context: { readonly req: Pick<Request, 'accepts'> },
    ): Promise<RawReply | MetricsReply>;
  };
  /** Resolves when every trace has been sent and every line handed to the destination. */
  flush(): Promise<void>;
}

/** Makes the log and the metrics of one server process. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { service, version, clock, logLevel, tracing, countsKeys, figuresOfAll } = options;
  const startedMs = options.startedMs ?? clock();
  const destination = options.logDestination ?? createOutput();
  const log = pino({ ...logFormat, level: logLevel, base: { service } }, destination);
  const registry = createRegistry(service, version, () => (clock() - startedMs) / 1000);
  const statistics = createRouteStatistics(registry);
  const countKey = countsKeys ? createKeyStatistics(registry) : undefined;
  const refusals = new Counter({
    name: 'http_refused_connections_total',
    help: 'Connections answered with a problem and closed because no request came of them, by its code.',
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
    observeRefusal: ({ code }) => refusals.inc({ code }),
    async figures() {
      return { metrics: await registry.getMetricsAsJSON(), summary: statistics.summarise() };
    },
    metricsHandlers: {
      async getMetrics({ query }, { req }) {
        // With its parameters, so that whoever names them is served as well (RFC 9110 §12.5.1).
        const form = req.accepts([registry.contentType, 'application/json']);
        if (form === false) {
          throw new Problem('not_acceptable', 'Accept text/plain (the Prometheus form) or application/json.');
        }
        if (form === 'application/json') {
          const uptime = Math.max(0, clock() - startedMs) / 1000;
          const summary =
            figuresOfAll === undefined
              ? statistics.summarise(query?.routes)
              : mergeSummaries(await figuresOfAll(), query?.routes);
          return { status: 200, body: { uptime_seconds: uptime, ...summary }, headers };
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

/** Levels as words, times as ISO 8601 for people and for programs that sort; of errors what is nobody's secret. */
const logFormat: LoggerOptions = {
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level) => ({ level }) },
  serializers: { err: (error: unknown) => (error instanceof Error ? describeCause(error) : error) },
};

function createRegistry(service: string, version: string, uptimeSeconds: () => number): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'process_uptime_seconds',
    help: 'Seconds since the process started.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(Math.max(0, uptimeSeconds()));
    },
  });
  new Gauge({
    name: 'service_info',
    help: 'Which server this is; always 1.',
    aggregator: 'first',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service, version }, 1);
  return registry;
}

function flush(destination: DestinationStream & { flush?: (done: (error?: Error) => void) => void }): Promise<void> {
  return new Promise((resolve) => {
    if (destination.flush === undefined) resolve();
    else destination.flush(() => resolve());
  });
}
