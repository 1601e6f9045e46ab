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
import { exporterNames, type Tracing, type TracingOptions } from './load-tracing.ts';

/** The SDK, put together by hand from the variables that it leaves to whoever uses it. */
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
  const tracer = provider.getTracer('@rostergate/runtime', version);

  return {
    startTrace: (request) => new RecordedTrace(tracer, request),
    report: faults.report,
    async close() {
      const patience = new AbortController();
      const closed = provider.shutdown().catch((error) => faults.add('shutdown', error));
      // A collector that does not answer must not keep the server from ending.
      await Promise.race([closed, wait(closeMsMax, undefined, { signal: patience.signal }).catch(() => undefined)]);
      patience.abort();
    },
  };
}

const closeMsMax = 3_000;

/** One request as a server span; conventions for HTTP of OpenTelemetry, without paths, queries and addresses of callers. */
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
      // What the caller has done wrong is no error of the server.
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
type Tell = (fault: string) => void;

function createProcessors(env: Env, tell: Tell): SpanProcessor[] {
  const names = exporterNames(env);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  return (names.length === 0 ? ['otlp'] : names).flatMap((name): SpanProcessor[] => {
    if (name === 'none') return [];
    if (name === 'console') return [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })];
    if (name !== 'otlp') {
      tell(`OTEL_TRACES_EXPORTER: "${name}" is not known here; take otlp, console or none.`);
      return [];
    }
    if (protocol !== 'http/protobuf') {
      tell(`OTEL_EXPORTER_OTLP_PROTOCOL: "${protocol}" is not spoken here; http/protobuf is used in its place.`);
    }
    return [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        ...numberOption(env, 'OTEL_BSP_SCHEDULE_DELAY', 'scheduledDelayMillis', tell),
        ...numberOption(env, 'OTEL_BSP_EXPORT_TIMEOUT', 'exportTimeoutMillis', tell),
        ...numberOption(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 'maxQueueSize', tell),
        ...numberOption(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'maxExportBatchSize', tell),
      }),
    ];
  });
}

function numberOption(env: Env, variable: string, option: string, tell: Tell): Record<string, number> {
  const text = env[variable];
  if (text === undefined || text.trim() === '') return {};
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return { [option]: value };
  tell(`${variable}: "${text}" is no number above 0; the usual one is used.`);
  return {};
}

/** By `OTEL_TRACES_SAMPLER` and its argument; everything that no caller has decided against when it is not set. */
function createSampler(env: Env, tell: Tell): Sampler {
  const name = (env.OTEL_TRACES_SAMPLER || 'parentbased_always_on').trim().toLowerCase();
  const create = samplers[name.replace(/^parentbased_/, '')];
  if (create === undefined) {
    tell(`OTEL_TRACES_SAMPLER: "${name}" is not known here; parentbased_always_on is used in its place.`);
    return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
  const root = create(env, tell);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

const samplers: Readonly<Record<string, (env: Env, tell: Tell) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio({ OTEL_TRACES_SAMPLER_ARG: text = '' }, tell) {
    const ratio = text.trim() === '' ? 1 : Number(text);
    if (ratio >= 0 && ratio <= 1) return new TraceIdRatioBasedSampler(ratio);
    tell(`OTEL_TRACES_SAMPLER_ARG: "${text}" is no number from 0 to 1; every trace is recorded.`);
    return new TraceIdRatioBasedSampler(1);
  },
};

/** Holds what happens before anybody listens. */
function createFaults() {
  const held: string[] = [];
  let tell: Tell = (fault) => void held.push(fault);
  return {
    add: (fault: string, ...more: unknown[]): void => tell([fault, ...more.map(textOf)].join(' ')),
    report(listener: Tell): void {
      tell = listener;
      for (const fault of held.splice(0)) listener(fault);
    },
  };
}

/** Errors come with stacks and, as text, whole objects: their first words are enough. */
function textOf(value: unknown): string {
  const text = value instanceof Error ? value.message : String(value);
  return text.slice(0, 300);
}
