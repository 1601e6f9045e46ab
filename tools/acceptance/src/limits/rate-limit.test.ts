import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call, type TestResponse } from '../call.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const { env, urls, credentials } = inject('servers');

/** The settings of the shared servers with the default limits. */
const defaults = Object.fromEntries(Object.entries(env).filter(([name]) => !name.includes('RATE_LIMIT')));

describe.each([
  { name: 'gateway', path: '/endpoints', key: credentials.GATEWAY_KEY },
  { name: 'staff-proxy', path: '/v2/nowhere', key: credentials.STAFF_PROXY_KEY },
] as const)('$name', ({ name, path, key }) => {
  let server: RunningServer;
  beforeAll(async () => {
    const settings = { ...defaults, ROSTERGATE_PROXY_UPSTREAM_URL: urls.scheduling };
    server = await startServer({ name, port: 0, env: settings });
  });
  afterAll(() => server.stop());

  const send = (headers: Record<string, string> = {}) => call(name, path, { baseUrl: server.url, headers });

  /** Sends five requests more than the limit concurrently. */
  async function exhaust(allowed: number, headers: Record<string, string> = {}) {
    const responses = await Promise.all(Array.from({ length: allowed + 5 }, () => send(headers)));
    const isRejected = ({ status }: TestResponse) => status === 429;
    return { passed: responses.filter((response) => !isRejected(response)), rejected: responses.filter(isRejected) };
  }

  test('60 requests per minute without a key, then 429 with Retry-After', async () => {
    const { passed, rejected } = await exhaust(60);
    expect([passed.length, rejected.length]).toEqual([60, 5]);
    for (const { headers } of passed) expect(headers.get('RateLimit-Policy')).toMatch(/;q=60;w=60$/);
    const left = passed.map(({ headers }) => Number(/;r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]));
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
    for (const { headers, body } of rejected) {
      expect([body.code, body.kind]).toEqual(['limit_exceeded', 'RateLimitError']);
      const waitS = Number(headers.get('Retry-After'));
      expect(waitS).toBeGreaterThan(0);
      expect(waitS).toBeLessThanOrEqual(60);
      expect(headers.get('RateLimit')).toMatch(/;r=0;t=\d+$/);
    }
  });

  test('an invented key and a spoofed address do not raise the limit', async () => {
    const invented = await send({ 'X-API-Key': 'gateway_live_invented_00000000' });
    expect([401, 429]).toContain(invented.status);
    expect((await send({ 'X-Forwarded-For': '203.0.113.7' })).status).toBe(429);
  });

  test('300 requests per minute with a key, even from an address without remaining quota', async () => {
    const { passed, rejected } = await exhaust(300, { 'X-API-Key': key });
    expect([passed.length, rejected.length]).toEqual([300, 5]);
    expect(passed[0]?.headers.get('RateLimit-Policy')).toMatch(/;q=300;w=60$/);
  });

  test('health is not limited', async () => {
    for (const health of ['/health', '/health/live', '/health/ready']) {
      const response = await call(name, health, { baseUrl: server.url });
      expect([response.status, response.headers.get('RateLimit')]).toEqual([200, null]);
    }
  });
});
