import fc from 'fast-check';
import { expect, it } from 'vitest';
import { configure, goodKey, startGateway } from './start-gateway.ts';

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly quota: 'client' | 'auxiliary' | 'none';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests, and the quota that each uses; a preflight is a request with the headers of one. */
const requests: readonly Asked[] = [
  ...[
    '/',
    '/assets/landing.css',
    '/docs',
    '/docs/page.css',
    '/docs/nothing.js',
    '/redoc',
    '/openapi.json',
    '/metrics',
  ].map((path) => ({ path, method: 'GET', quota: 'auxiliary' as const })),
  { path: '/docs', method: 'HEAD', quota: 'auxiliary' },
  { path: '/favicon.ico', method: 'GET', quota: 'auxiliary' as const },
  ...['/api/hello', '/docs', '/metrics', '/nowhere'].map((path) => ({
    ...{ path, method: 'OPTIONS', quota: 'auxiliary' as const },
    headers: { 'Access-Control-Request-Method': 'GET' },
  })),
  { path: '/docs', method: 'POST', quota: 'client' },
  { path: '/docs', method: 'OPTIONS', quota: 'client' },
  { path: '/api/hello', method: 'GET', quota: 'client' },
  { path: '/nowhere', method: 'GET', quota: 'client' },
  { path: '/health', method: 'GET', quota: 'none' as const },
];
const credentials = { none: {}, good: { 'X-API-Key': goodKey }, wrong: { 'X-API-Key': 'invented' } } as const;
const limits = { anonymous: 5, authenticated: 7, auxiliary: 600 };
const app = 'https://app.example';

const step = fc.record({
  request: fc.constantFrom(...requests),
  credential: fc.constantFrom('none', 'none', 'good', 'good', 'wrong' as const),
  origin: fc.constantFrom(app, 'https://stranger.example'),
  host: fc.integer({ min: 1, max: 3 }),
  isReloaded: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const configured = fc.record({
  cors_origins: fc.constantFrom<string[]>([], [app], ['*']),
  trusted_proxies: fc.constantFrom<string[]>([], ['127.0.0.1']),
  metrics_requires_auth: fc.boolean(),
});

/** Pages × limits × keys × CORS × reload × trusted proxies. */
it('charge each request to one quota in every configuration, also after reloads', async () => {
  await fc.assert(
    fc.asyncProperty(configured, fc.array(step, { minLength: 20, maxLength: 60 }), async (options, steps) => {
      const settings = {
        ...{ rate_limit_enabled: true, ...options },
        ...{ rate_limit_per_minute: limits.anonymous, rate_limit_per_minute_authenticated: limits.authenticated },
      };
      const { app: gateway, fetch } = await startGateway({ settings, steadyClock: () => 1_000_000 });
      const used = new Map<string, number>();
      for (const { request, credential, origin, host, isReloaded } of steps) {
        if (isReloaded) await gateway.apply(await configure({ settings }));
        const { path, method, quota, headers: more = {} } = request;
        const address = options.trusted_proxies.length > 0 ? `203.0.113.${host}` : '127.0.0.1';
        const [policy, key, limit] =
          credential === 'wrong'
            ? ['default', address, limits.anonymous]
            : quota === 'auxiliary'
              ? ['auxiliary', `auxiliary ${address}`, limits.auxiliary]
              : credential === 'good'
                ? ['default', 'owner', limits.authenticated]
                : ['default', address, limits.anonymous];
        const { status, headers, body } = await fetch(path, {
          method,
          headers: {
            ...more,
            ...credentials[credential],
            Origin: origin,
            'X-Forwarded-For': `203.0.113.${host}`,
          },
        });
        await body?.cancel();
        const description = `${credential} ${method} ${path} ${JSON.stringify(more)} after ${used.get(key)} gives ${status}`;
        if (quota === 'none' && credential !== 'wrong') {
          expect([status, headers.get('ratelimit')], description).toEqual([200, null]);
          continue;
        }
        const before = used.get(key) ?? 0;
        const isRejected = before === limit;
        if (!isRejected) used.set(key, before + 1);
        expect(status === 429, description).toBe(isRejected);
        if (!isRejected && credential === 'wrong') expect(status, description).toBe(401);
        expect(headers.get('ratelimit'), description).toBe(`"${policy}";r=${limit - (used.get(key) ?? 0)};t=60`);
        const allowed = options.cors_origins.includes('*')
          ? '*'
          : options.cors_origins.includes(origin)
            ? origin
            : null;
        expect(headers.get('access-control-allow-origin'), description).toBe(allowed);
      }
    }),
    { numRuns: 25 },
  );
});
