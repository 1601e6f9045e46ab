import { describe, expect, inject, test } from 'vitest';
import { call, type TestResponse } from '../../call.ts';

const withKey = { headers: { 'X-API-Key': inject('servers').credentials.GATEWAY_KEY } };
const get = (path: string, options = {}): Promise<TestResponse> => call('gateway', path, options);

test('route GET /health: responds healthy without a key', async () => {
  expect((await get('/health')).body).toMatchObject({ status: 'healthy', version: expect.any(String) });
});

test('route GET /health/live: responds alive without a key', async () => {
  expect((await get('/health/live')).body.status).toBe('alive');
});

test('route GET /health/ready: responds ready, with the status of each dependency', async () => {
  const { status, body } = await get('/health/ready');
  expect([status, body.status]).toEqual([200, 'ready']);
  expect(body.dependencies).toMatchObject({
    configuration: { status: 'ready' },
    services: { status: 'ready', registered: expect.arrayContaining(['crypto', 'echo', 'http', 'static']) },
  });
});

test('route GET /metrics: is Prometheus text or, by Accept, JSON, labelled by route and not by raw path', async () => {
  await get('/api/crypto/ETH', withKey);
  const text = await get('/metrics', { headers: { Accept: 'text/plain' } });
  expect(text.text).toContain('route="/api/crypto/{symbol}"');
  expect(text.text).not.toContain('/api/crypto/ETH');
  const json = await get('/metrics', { headers: { Accept: 'application/json' } });
  expect(json.body.endpoints['GET /api/crypto/{symbol}'].count).toBeGreaterThan(0);
});

test('route GET /auth/status: is 200 for a valid key and 401 for any other', async () => {
  expect((await get('/auth/status', withKey)).body).toMatchObject({ authenticated: true });
  expect((await get('/auth/status')).body.code).toBe('key_missing');
  expect((await get('/auth/status', { headers: { 'X-API-Key': 'wrong' } })).body.code).toBe('key_invalid');
});

test('route GET /auth/validate: is always 200, with the result in the body', async () => {
  expect((await get('/auth/validate', withKey)).body).toMatchObject({ valid: true, code: 'key_valid' });
  const wrong = await get('/auth/validate', { headers: { 'X-API-Key': 'wrong' } });
  expect([wrong.status, wrong.body.valid, wrong.body.code]).toEqual([200, false, 'key_invalid']);
});

test('route GET /endpoints: lists exactly the served endpoints', async () => {
  const { body } = await get('/endpoints');
  const { paths } = (await get('/openapi.json')).body;
  const listed = body.endpoints.map(({ path, method }: { path: string; method: string }) => `${method} ${path}`);
  expect(body.total).toBe(listed.length);
  for (const { path, method } of body.endpoints) expect(paths[path][method.toLowerCase()]).toBeDefined();
  const configured = Object.keys(paths).filter((path) => path.startsWith('/api/'));
  expect(new Set(body.endpoints.map(({ path }: { path: string }) => path))).toEqual(new Set(configured));
});

test('route GET /openapi.json: is the contract of the running gateway, endpoints included', async () => {
  const { body } = await get('/openapi.json');
  expect(body.openapi).toMatch(/^3\./);
  expect(body.paths['/api/crypto'].get.responses['429']).toBeDefined();
});

describe.each([
  ['/', 'text/html; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/redoc', 'text/html; charset=utf-8'],
])('%s', (path, type) => {
  test('is a page that loads nothing from another origin', async () => {
    const page = await get(path);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, type]);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });
});

test('route GET /: is the landing page', async () => {
  const page = await get('/');
  expect(page.status).toBe(200);
  expect(page.text).toContain('/api/crypto');
});

/** Returns the paths in `src` and `href` of a page. */
const assetsOf = (page: TestResponse, path: string) =>
  [...page.text.matchAll(/(?:src|href)="(?!data:|#)([^"]+)"/g)].map(
    ([, asset = '']) => new URL(asset, `http://x${path}`),
  );

test('route GET /assets/{asset}: serves the files of the landing page', async () => {
  const assets = assetsOf(await get('/'), '/').filter(({ pathname }) => pathname.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(0);
  for (const { pathname } of assets) expect((await get(pathname)).status, pathname).toBe(200);
});

test('route GET /docs: is Swagger UI', async () => {
  expect((await get('/docs')).text).toMatch(/swagger/i);
});

test('route GET /docs/{asset}: serves the files of the page, and 404 for any other', async () => {
  for (const { pathname } of assetsOf(await get('/docs'), '/docs').filter(({ pathname }) => pathname !== '/'))
    expect((await get(pathname)).status, pathname).toBe(200);
  expect((await get('/docs/nothing.css')).status).toBe(404);
});

test('route GET /redoc: is ReDoc', async () => {
  expect((await get('/redoc')).text).toMatch(/redoc/i);
});

test('route GET /redoc/{asset}: serves the files of the page, and 404 for any other', async () => {
  for (const { pathname } of assetsOf(await get('/redoc'), '/redoc').filter(({ pathname }) => pathname !== '/'))
    expect((await get(pathname)).status, pathname).toBe(200);
  expect((await get('/redoc/..%2Fpackage.json')).status).toBe(404);
});
