import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { pickFreePorts } from '../../../workspace/free-ports.ts';
import { call, type TestResponse } from '../call.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const { credentials, env } = inject('servers');
const headers = { 'X-API-Key': credentials.GATEWAY_KEY };

describe('GET /api/staff, through all three servers', () => {
  test('200: returns the list of the staff proxy, with its options', async () => {
    const query = '?$select=FirstName,LastName&$expand=Tags&$top=3&$orderby=LastName';
    const { status, body, headers: received } = await call('gateway', `/api/staff${query}`, { headers });
    const own = { 'X-API-Key': credentials.STAFF_PROXY_KEY };
    const direct = await call('staff-proxy', `/v2/staffmember${query}`, { headers: own });
    expect([status, body]).toEqual([200, direct.body]);
    expect(body).toHaveLength(3);
    expect(body[0]).toMatchObject({ LastName: expect.any(String), Tags: expect.any(Array) });
    // One response with one id and one limit: those of the gateway.
    expect(received.get('X-Request-Id')).toMatch(/^[\w.-]+$/);
    expect(received.get('RateLimit-Policy')).toContain('q=100000');
  });

  test('400: an error of the upstream is passed on with its reason', async () => {
    const { status, body } = await call('gateway', '/api/staff?$top=minus', { headers });
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
  });

  test('401: without a key of the gateway, even with a key of the upstream', async () => {
    expect((await call('gateway', '/api/staff')).status).toBe(401);
    const theirs = { 'X-API-Key': credentials.STAFF_PROXY_KEY };
    expect((await call('gateway', '/api/staff', { headers: theirs })).body.code).toBe('key_invalid');
  });

  test('the key for the upstream is never disclosed', async () => {
    for (const path of ['/endpoints', '/openapi.json', '/metrics', '/health/ready', '/api/staff?$top=1']) {
      const { text, headers: received } = await call('gateway', path, { headers });
      expect(text + JSON.stringify([...received])).not.toContain(credentials.STAFF_PROXY_KEY);
    }
  });
});

describe('GET /api/staff without the staff proxy', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const [port, closed] = await pickFreePorts(3);
    server = await startServer({ name: 'gateway', port, env: { ...env, STAFF_PROXY_ADDRESS: `127.0.0.1:${closed}` } });
  });
  afterAll(() => server.stop());
  const ask = (path: string) => call('gateway', path, { headers, baseUrl: server.url });

  test('502, then 503 for a while; other endpoints are served, and readiness names the host', async () => {
    const replies: TestResponse[] = [];
    // A request that comes late is a probe, which is 502 again.
    const lastStatus = async () => {
      replies.push(await ask('/api/staff'));
      return replies.at(-1)?.status;
    };
    await expect.poll(lastStatus).toBe(503);
    expect([...new Set(replies.map(({ status }) => status))]).toEqual([502, 503]);
    for (const { text } of replies) expect(text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
    expect(Number(replies.at(-1)?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await ask('/api/hello')).status).toBe(200);
    const ready = await ask('/health/ready');
    expect([ready.status, ready.body.status]).toEqual([200, 'degraded']);
    expect(ready.body.dependencies.upstreams.open).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)]);
  });
});
