import { describe, expect, it } from 'vitest';
import { describeBuiltInServices } from '../src/services/index.ts';
import { goodKey, problemOf, startGateway, withKey } from './start-gateway.ts';

const serviceNames = describeBuiltInServices().map(({ name }) => name);
const problemJson = 'application/problem+json';

describe('getHealth, getLiveness, getReadiness', () => {
  it('200: returns status, time and version', async () => {
    const { fetch } = await startGateway();
    expect(await (await fetch('/health')).json()).toMatchObject({ status: 'healthy', version: '1.2.3' });
    expect(await (await fetch('/health/live')).json()).toMatchObject({ status: 'alive' });
    expect(await (await fetch('/health/ready')).json()).toMatchObject({
      status: 'ready',
      dependencies: {
        configuration: { status: 'ready' },
        services: { status: 'ready', registered: serviceNames, count: serviceNames.length },
      },
    });
  });

  it('503: is unavailable while the server is stopping', async () => {
    const { fetch, app } = await startGateway();
    app.beginDrain();
    const response = await fetch('/health/ready');
    expect([response.status, (await fetch('/health/live')).status]).toEqual([503, 200]);
    expect(await response.json()).toMatchObject({ status: 'unavailable', dependencies: { shutdown: {} } });
  });
});

it.each(['/health', '/metrics', '/api/crypto/ETH'])('rejects a parameter without a name at %s', async (path) => {
  const { fetch } = await startGateway();
  for (const query of ['=2', '%3D']) {
    const response = await fetch(`${path}?${query}`, withKey);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ detail: expect.stringMatching(/^has no name\. .* in single quotes, as in '\$top=2'\.$/) }],
    });
  }
});

describe('getMetrics', () => {
  it('200: counts by route template, as Prometheus text or JSON', async () => {
    const { fetch } = await startGateway();
    await fetch('/api/crypto/BTC', withKey);
    await fetch('/api/crypto/ETH', withKey);
    expect(await (await fetch('/metrics')).text()).toContain('route="/api/crypto/{symbol}"');
    const metrics = await (await fetch('/metrics', { headers: { Accept: 'application/json' } })).json();
    expect(metrics).toMatchObject({ endpoints: { 'GET /api/crypto/{symbol}': { count: 2, error_count: 0 } } });
  });
});

describe('getAuthStatus', () => {
  it.each([
    ['X-API-Key', { 'X-API-Key': goodKey }],
    ['Authorization: Bearer', { Authorization: `Bearer ${goodKey}` }],
    ['Authorization: bearer', { Authorization: `bearer ${goodKey}` }],
  ])('200: a valid key in %s', async (_, headers) => {
    const { fetch } = await startGateway();
    const response = await fetch('/auth/status', { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ authenticated: true, scopes: [] });
  });

  it.each([
    ['no key', {}, 'key_missing'],
    ['an unknown key', { 'X-API-Key': 'guess' }, 'key_invalid'],
    ['a key in two ways', { 'X-API-Key': goodKey, Authorization: `Bearer ${goodKey}` }, 'key_repeated'],
    [
      'a key sent twice',
      [
        ['X-API-Key', goodKey],
        ['X-API-Key', goodKey],
      ] as [string, string][],
      'key_repeated',
    ],
  ])('401: %s', async (_, headers, code) => {
    const { fetch } = await startGateway();
    const response = await fetch('/auth/status', { headers });
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    expect(await problemOf(response)).toMatchObject({
      answered: 401,
      mediaType: problemJson,
      status: 401,
      kind: 'AuthenticationError',
      code,
      requestId: true,
    });
  });

  it('401: any key when none is configured', async () => {
    const { fetch } = await startGateway({ settings: { api_keys: '' } });
    expect((await fetch('/auth/status', withKey)).status).toBe(401);
  });
});

describe('an invalid key', () => {
  it.each(['/', '/health', '/metrics', '/endpoints', '/openapi.json', '/docs', '/api/crypto', '/no/such/route'])(
    '401: is rejected on %s, although it is public',
    async (path) => {
      const { fetch } = await startGateway();
      const response = await fetch(path, { headers: { 'X-API-Key': 'guess' } });
      expect(await problemOf(response)).toMatchObject({ answered: 401, mediaType: problemJson, code: 'key_invalid' });
    },
  );

  it('never appears in responses, logs or metrics, and neither does a valid one', async () => {
    const { fetch, log } = await startGateway({ settings: { log_level: 'trace' } });
    const texts = [];
    const both = { 'X-API-Key': 'canary-key', Authorization: 'Bearer canary-key' };
    // Its own response may repeat the path.
    await fetch('/canary-key?canary-key=1', { headers: both });
    await fetch('/auth/status?canary-key=1', withKey);
    for (const path of ['/auth/status', '/auth/validate', '/api/crypto', '/nowhere', '/metrics']) {
      texts.push(await (await fetch(path, { headers: { 'X-API-Key': 'canary-key' } })).text());
      texts.push(await (await fetch(path, withKey)).text());
    }
    expect(log()).toContain('/auth/status');
    expect(texts.join() + log()).not.toMatch(/canary-key|test-key-of-the-gateway/);
  });
});

describe('validateKey', () => {
  it.each([
    ['a valid key', { 'X-API-Key': goodKey }, { valid: true, code: 'key_valid' }],
    ['a wrong key', { 'X-API-Key': 'guess' }, { valid: false, code: 'key_invalid' }],
    ['no key', {}, { valid: false, code: 'key_missing' }],
    ['two keys', { 'X-API-Key': 'a', Authorization: 'Bearer b' }, { valid: false, code: 'key_repeated' }],
  ])('200: the verdict on %s', async (_, headers, verdict) => {
    const { fetch } = await startGateway();
    const response = await fetch('/auth/validate', { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ...verdict, message: expect.any(String) });
  });
});

describe('validateKey, of a valid key', () => {
  it('returns its name, owner and scopes, and nothing of an invalid one', async () => {
    const { fetch } = await startGateway();
    const verdictOf = async (key: string) =>
      (await fetch('/auth/validate', { headers: { 'X-API-Key': key } })).json() as Promise<Record<string, unknown>>;
    const valid = await verdictOf(goodKey);
    expect(valid).toMatchObject({ name: expect.any(String), owner: expect.any(String), scopes: [] });
    expect(JSON.stringify(valid)).not.toContain(goodKey);
    expect(Object.keys(await verdictOf('guess')).sort()).toEqual(['code', 'message', 'timestamp', 'valid']);
  });
});

describe('listEndpoints', () => {
  it('200: lists exactly the served endpoints', async () => {
    const { fetch } = await startGateway({
      endpoints: [
        { path: '/api/a', service: 'CRYPTO', tags: ['coins'], summary: 'A', description: 'Long A' },
        { path: '/api/b', service: 'not there', enabled: false },
      ],
    });
    expect(await (await fetch('/endpoints')).json()).toEqual({
      endpoints: [
        {
          path: '/api/a',
          method: 'GET',
          service: 'crypto',
          enabled: true,
          requires_auth: false,
          auth: [],
          scopes: [],
          policies: [],
          rate_limit_per_minute: null,
          description: 'Long A',
          tags: ['coins'],
          summary: 'A',
        },
      ],
      services: serviceNames,
      total: 1,
    });
  });
});

describe('getLandingPage, getLandingAsset', () => {
  it('200: the page and its assets, with a policy without inline code and other origins', async () => {
    const { fetch } = await startGateway();
    const response = await fetch('/');
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=|javascript:/);
    const files = [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map((match) => match[1]);
    expect(new Set(files)).toEqual(new Set(['assets/icon.svg', 'assets/landing.css', 'assets/landing.js']));
    for (const file of files) {
      const asset = await fetch(`/${file}`);
      expect(asset.status).toBe(200);
      expect(await asset.text()).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    }
  });

  it.each(['other.css', '..%2f..%2fmain.ts', 'constructor'])('404: no asset named %s', async (name) => {
    const { fetch } = await startGateway();
    expect(await problemOf(await fetch(`/assets/${name}`))).toMatchObject({ answered: 404, mediaType: problemJson });
  });
});

describe('getOpenapiDocument, getDocs, getRedoc', () => {
  it('200: the document contains the endpoints and the built-in operations', async () => {
    const { fetch } = await startGateway();
    const document = (await (await fetch('/openapi.json')).json()) as { paths: Record<string, unknown> };
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/health', '/', '/api/crypto', '/api/crypto/{symbol}', '/api/echo']),
    );
    const docs = await fetch('/docs');
    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(docs.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect((await fetch('/redoc')).status).toBe(200);
    const styles = await fetch('/docs/page.css');
    expect(styles.status).toBe(200);
    const again = await fetch('/docs/page.css', { headers: { 'If-None-Match': styles.headers.get('etag') ?? '' } });
    expect([again.status, again.headers.get('content-length'), await again.text()]).toEqual([304, null, '']);
    expect((await fetch('/redoc/page.css')).status).toBe(200);
  });
});

describe('every route', () => {
  it('404: an unknown route is a problem', async () => {
    const { fetch } = await startGateway();
    expect(await problemOf(await fetch('/nowhere'))).toMatchObject({
      answered: 404,
      mediaType: problemJson,
      code: 'route_not_found',
      kind: 'NotFoundError',
      requestId: true,
    });
  });

  it.each([
    ['DELETE', '/health', 'GET, HEAD, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/echo', 'OPTIONS, POST'],
  ])('405: %s %s lists the methods in Allow', async (method, path, allow) => {
    const { fetch } = await startGateway();
    const response = await fetch(path, { method });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await problemOf(response)).toMatchObject({ answered: 405, mediaType: problemJson });
  });

  it.each(['/health', '/', '/endpoints', '/auth/validate', '/openapi.json', '/docs', '/api/crypto'])(
    '400: %s rejects undeclared query parameters, and names each',
    async (path) => {
      const { fetch } = await startGateway();
      expect(await problemOf(await fetch(`${path}?x=1&y=2`))).toMatchObject({
        answered: 400,
        mediaType: problemJson,
        kind: 'ValidationError',
        errors: [{ parameter: 'x' }, { parameter: 'y' }],
      });
    },
  );
});
