import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call, type TestResponse } from '../call.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const { env, urls, credentials } = inject('servers');

/** The settings of the shared servers with the default limits. */
const defaults = Object.fromEntries(Object.entries(env).filter(([name]) => !name.includes('RATE_LIMIT')));
const origin = 'https://app.example';

describe.each([
  { name: 'gateway', path: '/endpoints', key: credentials.GATEWAY_KEY, policy: 'default' },
  { name: 'staff-proxy', path: '/v2/nowhere', key: credentials.STAFF_PROXY_KEY, policy: 'staff-proxy' },
] as const)('$name', ({ name, path, key, policy }) => {
  let server: RunningServer;
  beforeAll(async () => {
    const cors = { ROSTERGATE_CORS_ORIGINS: origin, ROSTERGATE_PROXY_CORS_ORIGINS: origin };
    const settings = { ...defaults, ...cors, ROSTERGATE_PROXY_UPSTREAM_URL: urls.scheduling };
    server = await startServer({ name, port: 0, env: settings });
  });
  afterAll(() => server.stop());

  const send = (to: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(name, to, { baseUrl: server.url, method, headers });
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' };

  /** The paths that a browser loads to show the pages once. */
  async function loadPages(headers: Record<string, string> = {}): Promise<TestResponse[]> {
    const pages = await Promise.all(['/', '/docs', '/redoc'].map((page) => send(page, headers)));
    const assets = pages.flatMap(({ text }) => [...text.matchAll(/(?:src|href)="([\w-]+\/[\w.-]+)"/g)]);
    const parts = assets.map(([, asset]) => `/${asset}`).filter((asset) => !asset.startsWith('/health/'));
    return [...pages, ...(await Promise.all([...parts, '/openapi.json'].map((part) => send(part, headers))))];
  }

  test.each([
    ['without a key', {}, 60],
    ['with a key', { 'X-API-Key': key }, 300],
  ] as const)('pages, preflights, the contract and metrics do not use the quota, %s', async (_, headers, limit) => {
    for (let i = 0; i < 5; i++) {
      for (const { status } of await loadPages(headers)) expect(status).toBe(200);
    }
    const preflights = await Promise.all(
      Array.from({ length: 70 }, (_, i) => send(i % 2 ? path : '/v2/staffmember', preflight, 'OPTIONS')),
    );
    expect(preflights.filter(({ status }) => status === 429)).toEqual([]);
    const scrapes = await Promise.all(Array.from({ length: 70 }, () => send('/metrics', headers)));
    for (const { status, headers } of scrapes) {
      expect([status, headers.get('RateLimit-Policy')]).toEqual([200, '"auxiliary";q=600;w=60']);
    }
    const first = await send(path, headers);
    expect(first.headers.get('RateLimit')).toBe(`"${policy}";r=${limit - 1};t=60`);
  });

  test('pages are served to an address without remaining quota', async () => {
    const used = await Promise.all(Array.from({ length: 60 }, () => send(path)));
    expect(used.some(({ status }) => status === 429)).toBe(true);
    for (const { status } of await loadPages()) expect(status).toBe(200);
    const asked = await send(path, preflight, 'OPTIONS');
    expect([asked.status === 429, asked.headers.get('Access-Control-Allow-Origin')]).toEqual([false, origin]);
  });

  test('requests outside the quota have a separate limit with Retry-After', async () => {
    const responses = await Promise.all(
      Array.from({ length: 620 }, (_, i) => send(i % 2 ? '/metrics' : '/openapi.json')),
    );
    const admitted = responses.filter(({ status }) => status === 200);
    for (const { headers } of admitted) expect(headers.get('RateLimit-Policy')).toBe('"auxiliary";q=600;w=60');
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected.length).toBeGreaterThanOrEqual(20);
    expect(admitted.length + rejected.length).toBe(responses.length);
    for (const { headers, body } of rejected) {
      expect(body).toMatchObject({ code: 'limit_exceeded', 'violated-policies': ['auxiliary'] });
      expect(headers.get('RateLimit')).toMatch(/^"auxiliary";r=0;t=\d+$/);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    const asked = await send(path, preflight, 'OPTIONS');
    expect([asked.status, asked.headers.get('Access-Control-Allow-Origin')]).toEqual([429, origin]);
    expect((await send(path, { 'X-API-Key': key })).headers.get('RateLimit')).toMatch(new RegExp(`^"${policy}";r=2`));
  });

  test('a wrong key counts against the quota of its address on every path', async () => {
    expect((await send('/docs', { 'X-API-Key': 'invented' })).status).toBe(429);
  });
});
