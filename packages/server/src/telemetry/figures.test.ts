import { expect, it } from 'vitest';
import type { Figures } from './figures.ts';
import { mergeMetrics, mergeSummaries } from './figures.ts';
import { createTelemetry } from './telemetry.ts';

const route = { operationId: 'a', method: 'get', path: '/a' };

/** Returns the figures of a process after requests with these statuses and this duration. */
async function figuresOf(statuses: readonly number[], durationMs: number, uptimeMs = 0): Promise<Figures> {
  const destination = { write: () => {} };
  const telemetry = createTelemetry({
    service: 'x',
    version: '1',
    clock: () => uptimeMs,
    startedMs: 0,
    logLevel: 'silent',
    logDestination: destination,
  });
  const context = { route, req: { method: 'GET' }, principal: null, requestId: '1' };
  for (const status of statuses) telemetry.observe(context as never, status, durationMs);
  return JSON.parse(JSON.stringify(await telemetry.figures())) as Figures;
}

it('sums the counts of several processes, and averages their averages by count', async () => {
  const all = [await figuresOf([200, 200, 404], 100), await figuresOf([200], 300), { metrics: [], summary: null }];
  expect(mergeSummaries(all)).toMatchObject({
    total_requests: 4,
    total_errors: 1,
    error_rate: 0.25,
    endpoints: {
      'GET /a': { count: 4, error_count: 1, average_time: expect.closeTo(0.15), status_codes: { 200: 3, 404: 1 } },
    },
  });
  expect(mergeSummaries(all).duration_buckets.find(({ le }) => le === 0.25)?.count).toBe(3);
  expect(mergeSummaries(all, 0).endpoints).toEqual({});
});

it('returns the uptime of the process that has run longest, also one that serves no requests', async () => {
  const primary = { ...(await figuresOf([], 0, 3_600_000)), summary: null };
  const all = [await figuresOf([200], 100, 5_000), await figuresOf([200], 100, 60_000), primary];
  expect(mergeSummaries(all).uptime_seconds).toBe(3_600);
  expect(await mergeMetrics(all)).toContain('process_uptime_seconds 3600');
});

it('returns one Prometheus text, in which counts are summed and service_info is not', async () => {
  const text = await mergeMetrics([await figuresOf([200, 200], 100), await figuresOf([200], 300)]);
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/a",status="200"} 3');
  expect(text).toContain('service_info{service="x",version="1"} 1');
});
