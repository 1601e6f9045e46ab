import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startCollector } from '../../test/otlp-collector.ts';
import { type Context, createRouter, createServer } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import { createTelemetry, loadTracing } from './telemetry.ts';
import { isTracingWanted } from './tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const canary = 'canary-that-must-stay-secret';

afterEach(() => void vi.unstubAllEnvs());

/** Starts a server whose `GET /things/{key}` calls another server, with tracing by these variables. */
async function start(env: Record<string, string>) {
  // The SDK's exporter and resource read the process's own environment.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const tracing = await loadTracing({ service: 'edge', version: '1.2.3', env });
  const lines: Record<string, unknown>[] = [];
  const telemetry = createTelemetry({
    service: 'edge',
    version: '1.2.3',
    clock: Date.now,
    logLevel: 'info',
    logDestination: { write: (line) => void lines.push(JSON.parse(line)) },
    tracing,
  });
  const sent: Readonly<Record<string, string>>[] = [];
  const getThing = ({ path }: { path: { key: string } }, { trace }: Context) => {
    const call = trace.startCall({ method: 'POST', origin: 'http://staff.example:8020', template: '/v2/{x}' });
    sent.push(call.headers);
    if (path.key === 'gone') {
      const error = new Problem('upstream_failed', 'Later.', { cause: new Error(canary) });
      call.end({ error });
      throw error;
    }
    call.end({ status: 201 });
    return { status: 200, body: {} };
  };
  const router = createRouter(
    {
      document: {
        openapi: '3.0.3',
        info: { title: 'Edge', version: '1.0.0' },
        paths: {
          '/things/{key}': {
            get: {
              operationId: 'getThing',
              security: [],
              parameters: [
                { name: 'key', in: 'path', required: true, schema: { type: 'string' } },
                { name: 'q', in: 'query', schema: { type: 'string' } },
              ],
              responses: { default: { description: 'Problem' } },
            },
          },
        },
      },
      handlers: { getThing: getThing as never },
    },
    { observe: telemetry.observe, startTrace: telemetry.startTrace },
  );
  const server = createServer({ router: () => router }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { port } = server.address() as AddressInfo;
    const request = http.get({ port, host: '127.0.0.1', path, headers, agent: false });
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
  };
  return { ask, telemetry, lines, sent };
}

describe('traces sent to a collector', () => {
  it('have a server span for the request and a client span for the call, in the trace of the client', async () => {
    const collector = await startCollector();
    const { ask, telemetry, lines, sent } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await ask(`/things/${canary}?q=${canary}`, {
      traceparent: `00-${traceId}-${parentId}-01`,
      tracestate: 'vendor=1',
      'X-Request-Id': 'id-1',
      'X-API-Key': canary,
    });
    await telemetry.flush();
    const server = collector.spans.find((span) => span.kind === 2);
    const client = collector.spans.find((span) => span.kind === 3);
    expect(server).toMatchObject({
      traceId,
      parentId,
      name: 'GET /things/{key}',
      status: 0,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/things/{key}',
        'http.response.status_code': 200,
        'url.scheme': 'http',
        'http.response.header.x-request-id': ['id-1'],
      },
      resource: { 'service.name': 'edge', 'service.version': '1.2.3', 'deployment.environment.name': 'test' },
    });
    expect(client).toMatchObject({
      traceId,
      parentId: server?.spanId,
      name: 'POST /v2/{x}',
      attributes: { 'server.address': 'staff.example', 'server.port': 8020, 'http.response.status_code': 201 },
    });
    expect(sent).toEqual([{ traceparent: `00-${traceId}-${client?.spanId}-01`, tracestate: 'vendor=1' }]);
    expect(lines[0]).toMatchObject({ trace_id: traceId, span_id: server?.spanId });
    expect(collector.bytes()).not.toContain(canary);
  });

  it('mark server failures as errors, and client errors not', async () => {
    const collector = await startCollector();
    const { ask, telemetry } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'mine',
    });
    await ask('/things/gone');
    await ask(`/${canary}`);
    await telemetry.flush();
    const spans = collector.spans.map(({ name, kind, status, attributes }) => [
      name,
      kind,
      status,
      attributes['error.type'],
    ]);
    expect(spans).toEqual([
      ['POST /v2/{x}', 3, 2, 'upstream_failed'],
      ['GET /things/{key}', 2, 2, 'upstream_failed'],
      ['GET unmatched', 2, 0, 'route_not_found'],
    ]);
    expect(collector.spans[0]?.resource).toMatchObject({ 'service.name': 'mine' });
    expect(collector.bytes()).not.toContain(canary);
  });

  it.each([
    ['parentbased_always_on', '00', 0],
    ['always_off', '01', 0],
    ['always_on', '00', 1],
    ['parentbased_always_off', '01', 1],
    ['parentbased_traceidratio', '01', 1],
    ['traceidratio', '01', 0],
  ])('are sampled by %s when the client sends the flags %s', async (sampler, flags, count) => {
    const collector = await startCollector();
    const { ask, telemetry, sent } = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint}/v1/traces`,
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    await ask('/things/1', { traceparent: `00-${traceId}-${parentId}-${flags}` });
    await telemetry.flush();
    expect(collector.spans.filter((span) => span.kind === 2).length).toBe(count);
    expect(sent[0]?.traceparent).toMatch(new RegExp(`^00-${traceId}-(?!${parentId})[\\da-f]{16}-0${count}$`));
  });

  it('do not fail requests when no collector responds, and the log reports it', async () => {
    const { ask, telemetry, lines, sent } = await start({
      OTEL_TRACES_EXPORTER: 'otlp,carrier-pigeon',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_TRACES_SAMPLER: 'dice',
      OTEL_BSP_SCHEDULE_DELAY: 'soon',
    });
    await ask('/things/1');
    await telemetry.flush();
    expect(sent).toHaveLength(1);
    const faults = lines.flatMap((line) => (line.msg === 'tracing' ? [line.fault] : []));
    for (const word of ['carrier-pigeon', 'grpc', 'dice', 'soon']) {
      expect(faults).toContainEqual(expect.stringContaining(word));
    }
  });
});

describe('loadTracing', () => {
  it.each([
    [{}, false],
    [{ OTEL_SERVICE_NAME: 'a' }, false],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a' }, false],
    [{ OTEL_SDK_DISABLED: 'TRUE', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a' }, true],
    [{ OTEL_TRACES_EXPORTER: 'console' }, true],
  ])('with %o is enabled: %s', (env, isWanted) => expect(isTracingWanted(env)).toBe(isWanted));

  it('returns undefined when no variable enables it', async () => {
    expect(await loadTracing({ service: 'a', version: '1', env: {} })).toBeUndefined();
  });
});
