import express, { type Request, type Response } from 'express';
import { describe, expect, it } from 'vitest';
import { Context, type Principal, type Route, unmatchedRoute } from '../contract/index.ts';
import { Problem } from '../problem/index.ts';
import type { MetricsBody } from './request-statistics.ts';
import { createTelemetry, type TelemetryOptions } from './telemetry.ts';

const reader: Principal = { name: 'reader', owner: 'team', scopes: [] };
const route: Route = { ...unmatchedRoute, operationId: 'getThing', path: '/v2/things/{thing_key}' };

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

function start(options: Partial<TelemetryOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const time = { ms: 1_700_000_010_000 };
  const telemetry = createTelemetry({
    service: 'test',
    version: '1.2.3',
    clock: () => time.ms,
    startedMs: 1_700_000_000_000,
    logLevel: 'info',
    logDestination: { write: (line) => void lines.push(JSON.parse(line)) },
    ...options,
  });
  const requestOf = (headers: Record<string, string>, method: string, url: string) =>
    Object.assign(Object.create(express.request), {
      ...{ headers, method, url },
      rawHeaders: Object.entries(headers).flat(),
    }) as Request;
  const observe = (
    status: number,
    more: {
      on?: Route;
      method?: string;
      problem?: Problem;
      by?: Principal;
      durationMs?: number;
      headers?: Record<string, string>;
    } = {},
  ) => {
    const req = requestOf(
      { 'x-api-key': 'canary', ...more.headers },
      more.method ?? 'GET',
      '/v2/things/canary?secret=canary',
    );
    const context = new Context(req, {} as Response, more.on ?? route, 'id-1', 0);
    context.principal = more.by ?? null;
    telemetry.observe?.(context, status, more.durationMs ?? 2.5, more.problem);
  };
  const metrics = async (accept?: string, query: { routes?: number } = {}) => {
    const req = requestOf(accept === undefined ? {} : { accept }, 'GET', '/metrics');
    return telemetry.metricsHandlers.getMetrics({ query }, { req });
  };
  return { telemetry, lines, observe, metrics };
}

describe('the log', () => {
  it('has one line for each request, of ids, names and figures, without client data', () => {
    const { lines, observe } = start();
    observe(200, { by: reader });
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        service: 'test',
        method: 'GET',
        route: '/v2/things/{thing_key}',
        request_id: 'id-1',
        trace_id: expect.stringMatching(/^[\da-f]{32}$/),
        span_id: expect.stringMatching(/^[\da-f]{16}$/),
        status: 200,
        duration_ms: 2.5,
        principal: 'reader',
      },
    ]);
  });

  it('includes the code of a rejection, and the cause of a failure with its stack', () => {
    const { lines, observe } = start();
    observe(404, { problem: new Problem('not_found', 'No.') });
    observe(500, { problem: new Problem('internal_error', 'Later.', { cause: new TypeError('inside') }) });
    expect(lines[0]).toMatchObject({ level: 'info', code: 'not_found', principal: null });
    expect(lines[1]).toMatchObject({
      level: 'error',
      code: 'internal_error',
      err: { type: 'TypeError', message: 'inside', stack: expect.stringContaining('telemetry.test') },
    });
  });

  it('samples successful requests and logs every error', () => {
    const { lines, observe } = start({ sampleEvery: () => 10 });
    for (let i = 0; i < 30; i++) observe(200);
    for (let i = 0; i < 3; i++) observe(429);
    expect(lines.map((line) => line.status)).toEqual([200, 200, 200, 429, 429, 429]);
  });

  it('applies a changed sample rate and level at once', () => {
    let every = 2;
    const { telemetry, lines, observe } = start({ sampleEvery: () => every });
    for (let i = 0; i < 4; i++) observe(200);
    every = 1;
    for (let i = 0; i < 4; i++) observe(201);
    telemetry.log.level = 'error';
    for (let i = 0; i < 4; i++) observe(202);
    telemetry.log.level = 'info';
    observe(203);
    expect(lines.map((line) => line.status)).toEqual([200, 200, 201, 201, 201, 201, 203]);
  });

  it('includes the trace of the request', () => {
    const { lines, observe } = start();
    observe(200, { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } });
    expect(lines[0]).toMatchObject({ trace_id: 'a'.repeat(32), span_id: expect.not.stringContaining('bbbb') });
  });

  it('omits values that databases, parsers and upstreams repeat', () => {
    const { lines, observe } = start();
    const driver = Object.assign(new Error('invalid input syntax for type integer: "canary"'), {
      severity: 'ERROR',
      code: '22P02',
      detail: 'Key (email)=(canary) already exists.',
      query: 'select canary',
    });
    const parser = errorOf(() => JSON.parse('{"canary'));
    const address = new Error('GET https://user:canary@feed.example/a?key=canary failed', { cause: driver });
    for (const cause of [driver, parser, address, 'canary', { canary: 1 }, null]) {
      observe(500, { problem: new Problem('internal_error', 'Later.', { cause }) });
    }
    expect(lines.map((line) => (line.err as { type?: string } | undefined)?.type)).toEqual([
      'Error',
      'SyntaxError',
      'Error',
      'string',
      'object',
      'null',
    ]);
    expect(lines[0]).toMatchObject({ err: { code: '22P02', stack: expect.stringContaining('telemetry.test') } });
    expect(lines[2]).toMatchObject({ err: { message: 'GET https://feed.example/a failed', cause: { code: '22P02' } } });
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('masks the credential of the caller in every text of an error', () => {
    const { lines, observe } = start();
    const cause = Object.assign(
      new Error('sent "Bearer the canary" and canary-key', { cause: new Error('canary-key') }),
      {
        code: 'NO_canary-key',
      },
    );
    const problem = new Problem('internal_error', 'Later.', { cause });
    observe(500, { problem, headers: { 'x-api-key': 'canary-key', authorization: 'Bearer the canary' } });
    expect(lines[0]).toMatchObject({
      err: {
        ...{ code: 'NO_[credential]', message: 'sent "Bearer [credential]" and [credential]' },
        cause: { message: '[credential]' },
      },
    });
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('logs nothing below its level', () => {
    const { lines, observe } = start({ logLevel: 'error' });
    observe(200);
    observe(503);
    expect(lines.map((line) => line.status)).toEqual([503]);
  });
});

describe('getMetrics', () => {
  it('returns Prometheus text by default, by route template and never by path', async () => {
    const { observe, metrics } = start();
    observe(200);
    observe(404, { on: unmatchedRoute, method: 'POST' });
    const reply = await metrics();
    const text = 'raw' in reply ? String(reply.raw) : '';
    expect(reply).toMatchObject({ status: 200, contentType: expect.stringMatching(/^text\/plain; version=0\.0\.4/) });
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/v2/things/{thing_key}",status="200"} 1',
    );
    expect(text).toContain('http_request_duration_seconds_bucket{le="0.0025",method="GET"');
    expect(text).toContain('_count{method="POST",route="unmatched",status="404"} 1');
    expect(text).toContain('process_uptime_seconds 10');
    expect(text).toContain('service_info{service="test",version="1.2.3"} 1');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('canary');
  });

  it('counts connections that were rejected before a request, by code', async () => {
    const { telemetry, metrics } = start();
    telemetry.observeRejection(new Problem('request_timeout', 'Late.'));
    const reply = await metrics();
    expect('raw' in reply ? String(reply.raw) : '').toContain(
      'http_refused_connections_total{code="request_timeout"} 1',
    );
  });

  it('returns JSON from the same counts to clients that prefer it', async () => {
    const { observe, metrics } = start();
    for (const status of [200, 200, 400, 500]) observe(status);
    expect(await metrics('application/json')).toEqual({
      status: 200,
      headers: { Vary: 'Accept' },
      body: {
        uptime_seconds: 10,
        total_requests: 4,
        total_errors: 2,
        error_rate: 0.5,
        total_time: 0.01,
        duration_buckets: expect.arrayContaining([
          { le: 0.001, count: 0 },
          { le: 0.0025, count: 4 },
          { le: 10, count: 4 },
        ]),
        endpoints: {
          'GET /v2/things/{thing_key}': {
            count: 4,
            average_time: 0.0025,
            error_count: 2,
            error_rate: 0.5,
            status_codes: { 200: 2, 400: 1, 500: 1 },
          },
        },
      },
    });
  });

  it.each([
    ['*/*', 'text'],
    ['text/html', 'none'],
    ['application/json;q=0.5, text/plain', 'text'],
    ['application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', 'text'],
    ['application/json, */*;q=0.1', 'json'],
  ])('negotiates Accept: %s', async (accept, form) => {
    const { metrics } = start();
    if (form === 'none') await expect(metrics(accept)).rejects.toMatchObject({ code: 'not_acceptable' });
    else expect('raw' in (await metrics(accept)) ? 'text' : 'json').toBe(form);
  });

  it('counts durations by the bounds of the histogram', async () => {
    const { observe, metrics } = start();
    for (const durationMs of [0.4, 3, 5, 70, 20_000]) observe(200, { durationMs });
    const { body } = (await metrics('application/json')) as { body: MetricsBody };
    const { duration_buckets: buckets, total_requests: total } = body;
    const text = String(((await metrics()) as { raw: string }).raw);
    const ofHistogram = [...text.matchAll(/http_request_duration_seconds_bucket\{le="([\d.]+)",.*\} (\d+)$/gm)];
    expect(buckets).toEqual(ofHistogram.map(([, le, count]) => ({ le: Number(le), count: Number(count) })));
    expect([buckets.at(-1)?.count, total]).toEqual([4, 5]);
  });

  it('lists the requested number of busiest routes, and counts all', async () => {
    const { observe, metrics } = start();
    const on = (path: string) => ({ on: { ...route, path } });
    for (const path of ['/a', '/b', '/b', '/c', '/b', '/c']) observe(200, on(path));
    const reply = (await metrics('application/json', { routes: 2 })) as { body: MetricsBody };
    expect(Object.keys(reply.body.endpoints)).toEqual(['GET /b', 'GET /c']);
    expect(reply.body.total_requests).toBe(6);
  });

  it('counts a bounded number of routes separately, over any number of reloads', async () => {
    const { observe, metrics } = start({ logLevel: 'silent' });
    for (let i = 0; i < 20_010; i++) observe(200, { on: { ...route, path: `/generation/${i}` } });
    const { body } = (await metrics('application/json')) as { body: MetricsBody };
    expect(Object.keys(body.endpoints)).toHaveLength(20_001);
    expect(body.endpoints['OTHER other']?.count).toBe(10);
  });

  it('returns zero rates before the first request', async () => {
    expect(await start().metrics('application/json')).toMatchObject({
      body: { total_requests: 0, error_rate: 0, endpoints: {} },
    });
  });

  it('continues the counts of a route after a reload', async () => {
    const { observe, metrics } = start();
    observe(200);
    observe(200, { on: { ...route } });
    expect(await metrics('application/json')).toMatchObject({
      body: { endpoints: { 'GET /v2/things/{thing_key}': { count: 2 } } },
    });
  });

  it('counts unmatched requests by method, uncommon methods together', async () => {
    const { observe, metrics } = start();
    for (const method of ['PUT', 'PROPFIND', 'MKCOL']) observe(405, { on: { ...unmatchedRoute, path: '/x' }, method });
    expect(await metrics('application/json')).toMatchObject({
      body: { endpoints: { 'PUT /x': { count: 1 }, 'OTHER /x': { count: 2 } } },
    });
  });
});

describe('flush', () => {
  it('resolves once the destination has written every line', async () => {
    let isFlushed = false;
    const logDestination = {
      write() {},
      flush(done: () => void) {
        isFlushed = true;
        done();
      },
    };
    await start({ logDestination }).telemetry.flush();
    expect(isFlushed).toBe(true);
    await expect(start().telemetry.flush()).resolves.toBeUndefined();
  });
});
