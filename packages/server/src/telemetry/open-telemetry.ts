import { setTimeout as wait } from 'node:timers/promises';
import {
  type Attributes,
  createTraceState,
  DiagLogLevel,
  diag,
  type Context as OtelContext,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace as traces,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import {
  type CallTrace,
  type OutgoingCall,
  readTraceParent,
  type Trace,
  type TracedRequest,
  type TraceOutcome,
  traceHeaders,
} from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { exporterNames, type Tracing, type TracingOptions } from './tracing.ts';

/** Returns tracing by the SDK, configured here by the variables that the SDK itself does not read. */
export function createOpenTelemetry({ service, version, env }: TracingOptions): Tracing {
  const faults = createFaults();
  diag.setLogger(
    { error: faults.add, warn: faults.add, info() {}, debug() {}, verbose() {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: service, [ATTR_SERVICE_VERSION]: version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(env, faults.add),
    spanProcessors: createProcessors(env, faults.add),
  });
  const tracer = provider.getTracer('@rostergate/server', version);

  return {
    startTrace: (request) => new RecordedTrace(tracer, request),
    report: faults.report,
    async close() {
      const timeout = new AbortController();
      const closed = provider.shutdown().catch((error) => faults.add('shutdown', error));
      // A collector that does not respond must not delay the shutdown further.
      await Promise.race([closed, wait(closeMsMax, undefined, { signal: timeout.signal }).catch(() => undefined)]);
      timeout.abort();
    },
  };
}

const closeMsMax = 3_000;

/**
 * A server span for one request, by the HTTP conventions of OpenTelemetry without paths, queries and client addresses.
 */
class RecordedTrace implements Trace {
  readonly traceId: string;
  readonly spanId: string;
  readonly #tracer: Tracer;
  readonly #span: Span;

  constructor(tracer: Tracer, { req, route, requestId }: TracedRequest) {
    this.#tracer = tracer;
    const method = knownMethods.has(req.method) ? req.method : '_OTHER';
    const attributes: Attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_HTTP_ROUTE]: route.path,
      [ATTR_URL_SCHEME]: (req.socket as { encrypted?: boolean } | undefined)?.encrypted === true ? 'https' : 'http',
      [ATTR_NETWORK_PROTOCOL_VERSION]: req.httpVersion,
      'http.response.header.x-request-id': [requestId],
    };
    const name = `${method === '_OTHER' ? 'HTTP' : method} ${route.path}`;
    this.#span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parentContext(req.headers));
    const { traceId, spanId } = this.#span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
  }

  startCall({ method, origin, template }: OutgoingCall): CallTrace {
    const attributes: Attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      ...(origin === undefined ? {} : serverOf(origin)),
      ...(template === undefined ? {} : { 'url.template': template }),
    };
    const name = template === undefined ? method : `${method} ${template}`;
    const parent = traces.setSpan(ROOT_CONTEXT, this.#span);
    const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    return {
      headers: traceHeaders(traceId, spanId, traceFlags, traceState?.serialize() || undefined),
      end: (outcome) => endCall(span, outcome),
    };
  }

  end({ status, problem, principal }: TraceOutcome): void {
    const span = this.#span;
    if (span.isRecording()) {
      span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
      if (principal !== undefined) span.setAttribute('user.name', principal);
      if (problem !== undefined) span.setAttribute(ATTR_ERROR_TYPE, problem.code);
      // A client error is not an error of the server.
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }
}

function serverOf(origin: string): Attributes {
  const { hostname, port, protocol } = new URL(origin);
  return {
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

function endCall(span: Span, outcome: Parameters<CallTrace['end']>[0]): void {
  if ('status' in outcome) {
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, outcome.status);
    if (outcome.status >= 400) {
      span.setAttribute(ATTR_ERROR_TYPE, String(outcome.status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
  } else {
    const { error } = outcome;
    const type = error instanceof Problem ? error.code : error instanceof Error ? error.name : '_OTHER';
    span.setAttribute(ATTR_ERROR_TYPE, type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'QUERY']);

function parentContext(headers: TracedRequest['req']['headers']): OtelContext {
  const parent = readTraceParent(headers);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags, state } = parent;
  return traces.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags & 1,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  });
}

type Env = TracingOptions['env'];
type Report = (fault: string) => void;

function createProcessors(env: Env, report: Report): SpanProcessor[] {
  const names = exporterNames(env);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  return (names.length === 0 ? ['otlp'] : names).flatMap((name): SpanProcessor[] => {
    if (name === 'none') return [];
    if (name === 'console') return [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })];
    if (name !== 'otlp') {
      report(`OTEL_TRACES_EXPORTER: "${name}" is not supported. Use otlp, console or none.`);
      return [];
    }
    if (protocol !== 'http/protobuf') {
      report(`OTEL_EXPORTER_OTLP_PROTOCOL: "${protocol}" is not supported. Using http/protobuf.`);
    }
    return [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        ...numberOption(env, 'OTEL_BSP_SCHEDULE_DELAY', 'scheduledDelayMillis', report),
        ...numberOption(env, 'OTEL_BSP_EXPORT_TIMEOUT', 'exportTimeoutMillis', report),
        ...numberOption(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 'maxQueueSize', report),
        ...numberOption(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'maxExportBatchSize', report),
      }),
    ];
  });
}

function numberOption(env: Env, variable: string, option: string, report: Report): Record<string, number> {
  const text = env[variable];
  if (text === undefined || text.trim() === '') return {};
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return { [option]: value };
  report(`${variable}: "${text}" is not a whole number above 0. Using the default.`);
  return {};
}

/**
 * Returns the sampler of `OTEL_TRACES_SAMPLER`; by default every trace is recorded unless the client decided otherwise.
 */
function createSampler(env: Env, report: Report): Sampler {
  const name = (env.OTEL_TRACES_SAMPLER || 'parentbased_always_on').trim().toLowerCase();
  const create = samplers[name.replace(/^parentbased_/, '')];
  if (create === undefined) {
    report(`OTEL_TRACES_SAMPLER: "${name}" is not supported. Using parentbased_always_on.`);
    return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
  const root = create(env, report);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

const samplers: Readonly<Record<string, (env: Env, report: Report) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio({ OTEL_TRACES_SAMPLER_ARG: text = '' }, report) {
    const ratio = text.trim() === '' ? 1 : Number(text);
    if (ratio >= 0 && ratio <= 1) return new TraceIdRatioBasedSampler(ratio);
    report(`OTEL_TRACES_SAMPLER_ARG: "${text}" is not a number from 0 to 1. Recording every trace.`);
    return new TraceIdRatioBasedSampler(1);
  },
};

/** Returns a reporter that buffers faults until it has a listener. */
function createFaults() {
  const buffered: string[] = [];
  let listener: Report = (fault) => void buffered.push(fault);
  return {
    add: (fault: string, ...more: unknown[]): void => listener([fault, ...more.map(textOf)].join(' ')),
    report(next: Report): void {
      listener = next;
      for (const fault of buffered.splice(0)) next(fault);
    },
  };
}

/** Returns the first 300 characters: the SDK passes whole objects as text. */
function textOf(value: unknown): string {
  const text = value instanceof Error ? value.message : String(value);
  return text.slice(0, 300);
}
