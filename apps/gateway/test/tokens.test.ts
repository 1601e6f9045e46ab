import { defineService, z } from '@rostergate/endpoints';
import type { Principal } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { bearer, corp, createSigningKey, createStandInIssuer, issuerUrl, signToken } from './stand-in-issuer.ts';
import { goodKey, problemOf, type StartOptions, startGateway, withKey } from './start-gateway.ts';

const key = createSigningKey('first');

const endpoint = (path: string, more: object) => ({ path, service: 'echo', ...more });
const endpoints = [
  endpoint('/both', { auth: ['key', 'jwt:corp'] }),
  endpoint('/tokens', { auth: ['jwt:corp'] }),
  endpoint('/keys', { requires_auth: true }),
  endpoint('/scoped', { auth: ['key', 'jwt:corp'], scopes: ['orders:read'] }),
  endpoint('/public', {}),
];

async function start({ settings, failure, ...options }: StartOptions & { readonly failure?: Error } = {}) {
  const issuer = createStandInIssuer(key);
  issuer.failure = failure;
  const time = { ms: Date.now() };
  const gateway = await startGateway({
    endpoints,
    loadKeys: issuer.loadKeys,
    clock: () => time.ms,
    steadyClock: () => time.ms,
    settings: { jwt_issuers: [corp], ...settings },
    ...options,
  });
  return { ...gateway, issuer, time };
}

interface Contract {
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> };
  readonly paths: Readonly<Record<string, { readonly get: { readonly security: unknown } } | undefined>>;
}

interface Listed {
  readonly endpoints: readonly { readonly path: string; readonly auth: readonly string[] }[];
}

type Fetch = (path: string) => Promise<Response>;

async function dependenciesOf(fetch: Fetch): Promise<object> {
  return ((await (await fetch('/health/ready')).json()) as { dependencies: object }).dependencies;
}

const callerOf = async (response: Response) => ((await response.json()) as { caller: string }).caller;

describe('tokens', () => {
  it('200: a token of a listed issuer calls as <issuer>:<claim>', async () => {
    const { fetch } = await start();
    const response = await fetch('/both', bearer(await signToken(key)));
    expect([response.status, await callerOf(response)]).toEqual([200, 'corp:client-1']);
    expect((await fetch('/tokens', bearer(await signToken(key)))).status).toBe(200);
  });

  it('200: keys are accepted as before where they are listed, in both headers', async () => {
    const { fetch } = await start();
    expect((await fetch('/both', withKey)).status).toBe(200);
    expect((await fetch('/both', bearer(goodKey))).status).toBe(200);
    expect((await fetch('/keys', withKey)).status).toBe(200);
  });

  it('401: an endpoint accepts no key without "key", and no token without "jwt:"', async () => {
    const { fetch } = await start();
    expect(await problemOf(await fetch('/tokens', withKey))).toMatchObject({
      answered: 401,
      code: 'token_invalid',
      detail: 'Send an access token as Authorization: Bearer. Keys are not accepted here.',
    });
    const token = bearer(await signToken(key));
    for (const path of ['/keys', '/public']) {
      expect(await problemOf(await fetch(path, token)), path).toMatchObject({ answered: 401, code: 'key_invalid' });
    }
  });

  it('a valid token is no fault where a valid key is none: unknown paths and methods, built-in pages', async () => {
    const { fetch } = await start();
    const statuses = async (init: RequestInit) => [
      (await fetch('/unknown', init)).status,
      (await fetch('/tokens', { ...init, method: 'DELETE' })).status,
      (await fetch('/tokens', { ...init, method: 'OPTIONS' })).status,
      ...(await Promise.all(
        ['/', '/openapi.json', '/endpoints'].map(async (path) => (await fetch(path, init)).status),
      )),
    ];
    expect(await statuses(withKey)).toEqual([404, 405, 204, 200, 200, 200]);
    expect(await statuses(bearer(await signToken(key)))).toEqual([404, 405, 204, 200, 200, 200]);
    expect(await statuses(bearer(await signToken(createSigningKey('first'))))).toEqual(Array(6).fill(401));
  });

  it('401: a missing credential names the ways in', async () => {
    const { fetch } = await start();
    const detailOf = async (path: string) => (await problemOf(await fetch(path))) as { code: string; detail: string };
    expect(await detailOf('/both')).toMatchObject({
      code: 'key_missing',
      detail:
        'Send your key in the X-API-Key header or Authorization: Bearer, or an access token in Authorization: Bearer.',
    });
    expect(await detailOf('/tokens')).toMatchObject({
      code: 'token_missing',
      detail: 'Send an access token in Authorization: Bearer.',
    });
    expect(await detailOf('/keys')).toMatchObject({
      detail: 'Send your key in the X-API-Key header or Authorization: Bearer.',
    });
  });

  it('401: a token together with a key', async () => {
    const { fetch } = await start();
    const headers = { ...withKey.headers, ...bearer(await signToken(key)).headers };
    expect(await problemOf(await fetch('/both', { headers }))).toMatchObject({ answered: 401, code: 'key_repeated' });
  });

  it('403: a token needs the scopes of the endpoint, as text or as a list', async () => {
    const { fetch } = await start();
    const status = async (claims: object) =>
      (await fetch('/scoped', bearer(await signToken(key, { claims: { ...claims } })))).status;
    expect(await status({})).toBe(403);
    expect(await status({ scope: 'orders:readonly' })).toBe(403);
    expect(await status({ scope: 'a orders:read b' })).toBe(200);
    expect(await status({ scope: ['orders:read'] })).toBe(200);
    expect(await status({ scope: { 'orders:read': true } })).toBe(401);
  });

  it('reads owner and scopes from the configured claims', async () => {
    const { fetch } = await start({
      settings: { jwt_issuers: [{ ...corp, owner_claim: 'client_id', scopes_claim: 'permissions' }] },
    });
    const claims = { client_id: 'app', permissions: ['orders:read'] };
    const response = await fetch('/scoped', bearer(await signToken(key, { claims })));
    expect([response.status, await callerOf(response)]).toEqual([200, 'corp:app']);
    expect(
      await problemOf(await fetch('/scoped', bearer(await signToken(key, { claims: { client_id: undefined } })))),
    ).toMatchObject({
      answered: 401,
      detail: 'The token has no claim "client_id".',
    });
  });

  it('403: names the kind of credential that lacks a scope', async () => {
    const { fetch } = await start({
      endpoints: [
        ...[['key'], ['jwt:corp'], ['key', 'jwt:corp']].map((auth, i) => endpoint(`/${i}`, { auth, scopes: ['x'] })),
      ],
    });
    const detailOf = async (path: string, init: object) => (await problemOf(await fetch(path, init))).detail;
    const token = bearer(await signToken(key));
    expect([await detailOf('/0', withKey), await detailOf('/1', token), await detailOf('/2', token)]).toEqual([
      'This key lacks the scope "x". Ask the operator for a key with that scope.',
      'This token lacks the scope "x". Ask the operator for a token with that scope.',
      'This key or token lacks the scope "x". Ask the operator for a key or token with that scope.',
    ]);
  });

  it('counts tokens of one owner together, apart from keys and from other issuers', async () => {
    const { fetch } = await start({
      settings: { jwt_issuers: [corp], rate_limit_enabled: true, rate_limit_per_minute_authenticated: 2 },
    });
    const call = async (claims = {}) => (await fetch('/both', bearer(await signToken(key, { claims })))).status;
    expect([await call(), await call({ scope: 'x' }), await call()]).toEqual([200, 200, 429]);
    expect(await call({ sub: 'client-2' })).toBe(200);
    expect((await fetch('/both', withKey)).status).toBe(200);
  });

  it('counts wrong tokens against the address, as wrong keys are', async () => {
    const { fetch } = await start({
      settings: { jwt_issuers: [corp], rate_limit_enabled: true, rate_limit_per_minute: 3 },
    });
    const wrong = bearer(await signToken(createSigningKey('first')));
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await fetch('/both', wrong)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await fetch('/both', bearer(await signToken(key)))).status).toBe(200);
  });

  it('401: a token is rejected when it expires, also after it was accepted', async () => {
    const { fetch, time } = await start();
    const token = bearer(await signToken(key, { nowMs: time.ms }));
    expect((await fetch('/both', token)).status).toBe(200);
    time.ms += 304_000;
    expect((await fetch('/both', token)).status).toBe(200);
    time.ms += 2_000;
    const response = await fetch('/both', token);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await problemOf(response)).toMatchObject({ answered: 401, code: 'token_expired' });
  });

  it('reports tokens at /auth/status and /auth/validate', async () => {
    const { fetch } = await start();
    const token = bearer(await signToken(key, { claims: { scope: 'orders:read' } }));
    const known = { name: 'corp:client-1', scopes: ['orders:read'], message: 'The token is valid.' };
    expect(await (await fetch('/auth/status', token)).json()).toMatchObject({ authenticated: true, ...known });
    const verdict = async (init?: RequestInit) => (await fetch('/auth/validate', init)).json();
    expect(await verdict(token)).toMatchObject({ valid: true, code: 'token_valid', owner: 'corp:client-1', ...known });
    expect(await verdict(bearer('a.b.c'))).toMatchObject({ valid: false, code: 'token_invalid' });
    expect(await verdict(withKey)).toMatchObject({ valid: true, code: 'key_valid' });
    expect(await verdict()).toMatchObject({ valid: false, code: 'key_missing' });
  });

  it('describes its issuers and the ways of each endpoint in the contract and at /endpoints', async () => {
    const { fetch } = await start();
    const contract = (await (await fetch('/openapi.json')).json()) as Contract;
    expect(contract.components.securitySchemes['jwt-corp']).toEqual({
      type: 'openIdConnect',
      openIdConnectUrl: `${issuerUrl}/.well-known/openid-configuration`,
      description: `An access token of ${issuerUrl} as a bearer token.`,
      'x-issuer': issuerUrl,
    });
    expect(contract.paths['/tokens']?.get.security).toEqual([{ 'jwt-corp': [] }]);
    expect(contract.paths['/both']?.get.security).toEqual([
      { apiKeyHeader: [] },
      { apiKeyBearer: [] },
      { 'jwt-corp': [] },
    ]);
    const { endpoints: listed } = (await (await fetch('/endpoints')).json()) as Listed;
    expect(listed.map(({ path, auth }) => [path, auth])).toEqual([
      ['/both', ['key', 'jwt:corp']],
      ['/tokens', ['jwt:corp']],
      ['/keys', ['key']],
      ['/scoped', ['key', 'jwt:corp']],
      ['/public', []],
    ]);
  });
});

describe('keys of an issuer', () => {
  it('503: a token before the keys are known; keys work meanwhile, and tokens as soon as the issuer answers', async () => {
    const { fetch, issuer, time } = await start({ failure: new Error('refused') });
    const token = bearer(await signToken(key));
    const response = await fetch('/both', token);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await problemOf(response)).toMatchObject({ answered: 503, code: 'unavailable' });
    expect((await fetch('/both', withKey)).status).toBe(200);
    const readiness = await fetch('/health/ready');
    expect(readiness.status).toBe(200);
    expect(await readiness.json()).toMatchObject({
      status: 'degraded',
      dependencies: {
        issuers: {
          status: 'degraded',
          reason: 'The keys of corp cannot be fetched.',
          issuers: [{ name: 'corp', keys: 'unavailable', age_seconds: null }],
        },
      },
    });
    issuer.failure = undefined;
    time.ms += 1_000;
    expect((await fetch('/both', token)).status).toBe(200);
    expect(await dependenciesOf(fetch)).toMatchObject({ issuers: { status: 'ready' } });
  });

  it('does not report issuers where none is configured', async () => {
    const { fetch } = await startGateway();
    expect(await dependenciesOf(fetch)).not.toHaveProperty('issuers');
  });

  it('accepts a rotated key after one fetch, and rejects tokens of a withdrawn key, also cached ones', async () => {
    const { fetch, issuer, time } = await start();
    const old = bearer(await signToken(key));
    expect((await fetch('/both', old)).status).toBe(200);
    const next = createSigningKey('second');
    issuer.keys = [next.jwk];
    time.ms += 30_000;
    expect((await fetch('/both', bearer(await signToken(next)))).status).toBe(200);
    expect(await problemOf(await fetch('/both', old))).toMatchObject({ answered: 401, code: 'token_invalid' });
  });

  it('accepts tokens for a day after the issuer has become unreachable, and reports it', async () => {
    const { fetch, issuer, time, log } = await start();
    expect((await fetch('/both', bearer(await signToken(key)))).status).toBe(200);
    issuer.failure = new Error('refused');
    const call = async () => (await fetch('/both', bearer(await signToken(key, { nowMs: time.ms })))).status;
    for (const hours of [1, 22]) {
      time.ms += hours * 3_600_000;
      expect(await call()).toBe(200);
    }
    expect(await dependenciesOf(fetch)).toMatchObject({
      issuers: { status: 'degraded', issuers: [{ name: 'corp', keys: 'stale' }] },
    });
    expect(log().match(/the keys of a token issuer cannot be fetched/g)).toHaveLength(1);
    time.ms += 3_600_001;
    expect(await call()).toBe(503);
    issuer.failure = undefined;
    time.ms += 30_000;
    expect(await call()).toBe(200);
  });

  it('keeps keys across a reload, and drops the tokens of a changed issuer', async () => {
    const { app, fetch, issuer, configure } = await start();
    const token = bearer(await signToken(key));
    expect((await fetch('/both', token)).status).toBe(200);
    expect(issuer.fetches).toBe(1);
    const changed = async (settings: object) => app.apply(await configure({ endpoints, settings: { ...settings } }));
    await changed({ jwt_issuers: [corp], log_level: 'warn' });
    expect((await fetch('/both', token)).status).toBe(200);
    await changed({ jwt_issuers: [{ ...corp, audiences: ['https://other.example'] }] });
    expect((await fetch('/both', token)).status).toBe(401);
    expect(issuer.fetches).toBe(1);
  });

  it('counts verifications by issuer, without owners', async () => {
    const { fetch } = await start();
    const token = bearer(await signToken(key));
    await fetch('/both', token);
    await fetch('/both', token);
    await fetch('/both', bearer(await signToken(key, { claims: { aud: 'other' } })));
    await fetch('/both', bearer(await signToken(key, { claims: { iss: 'https://other.example' } })));
    const metrics = await (await fetch('/metrics')).text();
    expect(metrics).toContain('token_verifications_total{issuer="corp",outcome="valid"} 2');
    expect(metrics).toContain('token_verifications_total{issuer="corp",outcome="invalid"} 1');
    expect(metrics).toContain('token_verifications_total{issuer="unknown",outcome="invalid"} 1');
    expect(metrics).toContain('http_requests_by_key_total{key="corp:*",status="200"} 2');
    expect(metrics).not.toContain('client-1');
  });

  it('have the plan of the claim "plan_claim", and 403 for one that does not exist', async () => {
    const plans = {
      gold: { limits: [{ requests: 2, per: 'hour' as const }] },
      free: { limits: [{ requests: 1, per: 'day' as const }] },
    };
    const settings = { rate_limit_enabled: true, plans, default_plan: 'free' };
    const { fetch } = await start({ settings: { ...settings, jwt_issuers: [{ ...corp, plan_claim: 'tier' }] } });
    const call = async (claims: object) => fetch('/both', bearer(await signToken(key, { claims: { ...claims } })));
    const statuses = async (count: number, claims: object) => {
      const found: number[] = [];
      for (let i = 0; i < count; i++) found.push((await call(claims)).status);
      return found;
    };
    expect(await statuses(3, { sub: 'a', tier: 'gold' })).toEqual([200, 200, 429]);
    expect(await statuses(2, { sub: 'b' })).toEqual([200, 429]);
    expect(await problemOf(await call({ sub: 'c', tier: 'platinum' }))).toMatchObject({
      answered: 403,
      code: 'plan_unknown',
      detail: 'The plan "platinum" is not configured here. Ask the operator of this server.',
    });
    expect(await problemOf(await call({ sub: 'c', tier: 'a "plan"' }))).toMatchObject({
      answered: 403,
      detail: 'The plan of this credential is not configured here. Ask the operator of this server.',
    });
    expect(await problemOf(await call({ sub: 'c', tier: ['gold'] }))).toMatchObject({
      answered: 401,
      code: 'token_invalid',
    });
    const own = await fetch('/auth/status', bearer(await signToken(key, { claims: { sub: 'd', tier: 'gold' } })));
    expect(await own.json()).toMatchObject({ plan: 'gold' });
    await expect(start({ settings: { jwt_issuers: [{ ...corp, plan_claim: 'tier' }] } })).rejects.toThrow(
      'jwt_issuers[0].plan_claim: There are no plans',
    );
  });

  it('of one owner with different plans share no cached response', async () => {
    const plans = { gold: { limits: [{ requests: 9, per: 'hour' as const }] } };
    const showsPlan = defineService({
      name: 'plan',
      summary: 'The plan of the caller',
      parameters: z.object({}),
      response: z.unknown(),
      handle: (_, { principal }) => (principal as Principal | null)?.plan ?? 'none',
    });
    const { fetch } = await start({
      settings: { plans, jwt_issuers: [{ ...corp, plan_claim: 'tier' }] },
      services: [showsPlan],
      endpoints: [{ path: '/plan', service: 'plan', auth: ['jwt:corp'], cache_seconds: 60 }],
    });
    for (const [claims, plan] of [
      [{ tier: 'gold' }, 'gold'],
      [{}, 'none'],
      [{ tier: 'gold' }, 'gold'],
    ] as const) {
      const response = await fetch('/plan', bearer(await signToken(key, { claims })));
      expect(await response.json()).toBe(plan);
    }
  });

  it('401: /metrics with metrics_requires_auth takes keys, and no tokens', async () => {
    const { fetch } = await start({ settings: { metrics_requires_auth: true } });
    expect((await fetch('/metrics', withKey)).status).toBe(200);
    expect(await problemOf(await fetch('/metrics', bearer(await signToken(key))))).toMatchObject({
      answered: 401,
      code: 'key_invalid',
    });
  });
});
