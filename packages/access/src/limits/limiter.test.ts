import { Context, type Principal, type Route, unmatchedRoute } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import type { Request, Response } from 'express';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HitStore } from './hit-store.ts';
import { createLimiter, type LimiterOptions } from './limiter.ts';
import { createMemoryHitStore } from './sliding-window.ts';

const ann: Principal = { name: 'ann', owner: 'team', scopes: [] };

function start(options: Partial<LimiterOptions> = {}) {
  const time = { ms: 1_700_000_000_000 };
  const clock = () => time.ms;
  const build = (more: Partial<LimiterOptions> = {}) =>
    createLimiter({ name: 'gate', anonymousPerWindow: 2, authenticatedPerWindow: 5, clock, ...options, ...more });
  // As in a generation, a route is the same object for every request.
  const routes = new Map<string, Route>();
  const routeOf = (operationId: string, rateLimitPerMinute?: number) => {
    const name = `${operationId} ${rateLimitPerMinute}`;
    if (!routes.has(name)) routes.set(name, { ...unmatchedRoute, operationId, rateLimitPerMinute });
    return routes.get(name) as Route;
  };
  const contextOf = (principal: Principal | null, address: string, exempt: boolean, route = routeOf('any')) => {
    const req = { headers: {}, socket: { remoteAddress: address } } as unknown as Request;
    const context = new Context(req, {} as Response, exempt ? { ...route, quota: 'none' as const } : route, 'id', 0);
    context.principal = principal;
    return context;
  };
  const limiter = build();
  const call = async (
    principal: Principal | null,
    address = '203.0.113.7',
    { exempt = false, by = limiter, route = routeOf('any') } = {},
  ) => {
    const context = contextOf(principal, address, exempt, route);
    try {
      await by(context);
      return { status: 200, headers: { ...context.limitHeaders } as Record<string, string> };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return {
        status: error.status,
        headers: { ...context.limitHeaders, ...error.headers } as Record<string, string>,
        problem: error,
      };
    }
  };
  return { time, clock, build, limiter, call, contextOf, routeOf };
}

const storeOf = (hit: HitStore['hit']): HitStore => ({
  ...createMemoryHitStore({ windowMs: 60_000, clock: () => 0 }),
  hit,
});

const statuses = (responses: { status: number }[]) => responses.map((response) => response.status);

describe('createLimiter', () => {
  it('counts each address without a key separately', async () => {
    const { call } = start();
    expect(statuses([await call(null), await call(null), await call(null)])).toEqual([200, 200, 429]);
    expect((await call(null, '203.0.113.8')).status).toBe(200);
  });

  it('counts an owner over all keys and addresses', async () => {
    const { call } = start({ authenticatedPerWindow: 2 });
    const other: Principal = { ...ann, name: 'second key' };
    const responses = [await call(ann), await call(other, '198.51.100.1'), await call(ann, '198.51.100.2')];
    expect(statuses(responses)).toEqual([200, 200, 429]);
  });

  it('keeps an owner apart from an address of the same name', async () => {
    const { call } = start({ anonymousPerWindow: 1, authenticatedPerWindow: 1 });
    await call(null, '203.0.113.7');
    expect((await call({ ...ann, owner: '203.0.113.7' })).status).toBe(200);
  });

  it('sets headers with the remaining requests and the time to the next one', async () => {
    const { call, time } = start();
    expect((await call(null)).headers).toEqual({ 'RateLimit-Policy': '"gate";q=2;w=60', RateLimit: '"gate";r=1;t=60' });
    time.ms += 10_001;
    expect((await call(null)).headers.RateLimit).toBe('"gate";r=0;t=50');
  });

  it('rejects with 429 quota-exceeded, the policy and the wait', async () => {
    const { call, time } = start();
    await call(null);
    time.ms += 20_500;
    await call(null);
    const rejected = await call(null);
    expect(rejected.headers).toMatchObject({ 'Retry-After': '40', RateLimit: '"gate";r=0;t=40' });
    expect(rejected.problem).toMatchObject({
      code: 'limit_exceeded',
      extensions: {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        'violated-policies': ['gate'],
      },
    });
  });

  it('advertises the first second at which a rejected client is admitted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ min: 0, max: 40_000, noNaN: true }), { maxLength: 40 }), async (gaps) => {
        const { call, time } = start({ anonymousPerWindow: 4 });
        const admitted: number[] = [];
        for (const ms of gaps) {
          time.ms += ms;
          const { status, headers } = await call(null);
          const recent = admitted.filter((t) => t + 60_000 > time.ms);
          const [, r, t] = /r=(\d+);t=(\d+)/.exec(headers.RateLimit ?? '') ?? [];
          if (status === 200) admitted.push(time.ms);
          else expect(headers['Retry-After']).toBe(t);
          if (status === 200) expect(Number(r)).toBeGreaterThanOrEqual(0);
          const waited = time.ms + Number(t) * 1_000;
          const freeAt = (recent[0] ?? time.ms) + 60_000;
          expect(waited).toBeGreaterThanOrEqual(freeAt);
          expect(waited).toBeLessThan(freeAt + 1_001);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('admits exactly the limit of many concurrent requests', async () => {
    const { call } = start({ anonymousPerWindow: 60 });
    const responses = await Promise.all(Array.from({ length: 500 }, () => call(null)));
    const admitted = responses.filter((response) => response.status === 200);
    expect(admitted).toHaveLength(60);
    expect(new Set(admitted.map((response) => response.headers.RateLimit)).size).toBe(60);
  });

  it('ignores routes that the contract exempts', async () => {
    const { call } = start();
    for (let i = 0; i < 5; i++)
      expect(await call(null, undefined, { exempt: true })).toEqual({ status: 200, headers: {} });
    expect((await call(null)).headers.RateLimit).toBe('"gate";r=1;t=60');
  });

  it('counts auxiliary routes by address alone, in a separate quota of 600', async () => {
    const { call, routeOf, time } = start({ anonymousPerWindow: 2 });
    const route = { ...routeOf('docs'), quota: 'auxiliary' as const };
    const responses = [];
    for (let i = 0; i < 600; i++) responses.push(await call(i % 2 === 0 ? ann : null, undefined, { route }));
    expect(new Set(statuses(responses))).toEqual(new Set([200]));
    expect(responses.at(-1)?.headers).toEqual({
      'RateLimit-Policy': '"auxiliary";q=600;w=60',
      RateLimit: '"auxiliary";r=0;t=60',
    });
    const rejected = await call(ann, undefined, { route });
    expect(rejected.problem?.extensions).toMatchObject({ 'violated-policies': ['auxiliary'] });
    expect(rejected.headers['Retry-After']).toBe('60');
    expect((await call(null, '203.0.113.8', { route })).status).toBe(200);
    expect((await call(null)).headers.RateLimit).toBe('"gate";r=1;t=60');
    expect((await call(ann)).headers.RateLimit).toBe('"gate";r=4;t=60');
    time.ms += 60_000;
    expect((await call(null, undefined, { route })).headers.RateLimit).toBe('"auxiliary";r=599;t=60');
  });

  it('allows at least as many auxiliary as anonymous requests, unless a limit is given', async () => {
    const { call, routeOf, build } = start({ anonymousPerWindow: 1_000 });
    const route = { ...routeOf('docs'), quota: 'auxiliary' as const };
    expect((await call(null, undefined, { route })).headers.RateLimit).toBe('"auxiliary";r=999;t=60');
    const by = build({ auxiliaryPerWindow: 5 });
    expect((await call(null, undefined, { route, by })).headers['RateLimit-Policy']).toBe('"auxiliary";q=5;w=60');
  });

  it('charges the address for a wrong key, on exempt routes too', async () => {
    const { limiter, contextOf, call } = start();
    await limiter.countAddress(contextOf(ann, '203.0.113.7', true));
    expect((await call(null)).headers.RateLimit).toBe('"gate";r=0;t=60');
  });

  it('keeps its counts through a reload', async () => {
    const clock = () => 0;
    const { call, build } = start({ hits: createMemoryHitStore({ windowMs: 60_000, clock }) });
    await call(null);
    const next = build({ anonymousPerWindow: 3, name: 'new' });
    expect((await call(null, undefined, { by: next })).headers).toEqual({
      'RateLimit-Policy': '"new";q=3;w=60',
      RateLimit: '"new";r=1;t=60',
    });
  });

  it('gives the store plain data that can be sent to another process', async () => {
    const seen: unknown[] = [];
    const hits = storeOf((hit) => {
      seen.push(JSON.parse(JSON.stringify(hit)));
      return [];
    });
    const { call, routeOf } = start({ hits });
    await call(ann, undefined, { route: routeOf('slow', 2) });
    expect(seen).toEqual([{ client: 'owner:team', keys: ['owner:team', 'route:slow\nowner:team'], limits: [5, 2] }]);
  });

  it('rejects with the error of the store', async () => {
    const { call } = start({ hits: storeOf(() => Promise.reject(new Error('store is unavailable'))) });
    await expect(call(null)).rejects.toThrow('store is unavailable');
  });

  it('sets no headers for an uncounted request', async () => {
    const { call } = start({ hits: storeOf(async () => []) });
    expect(await call(null)).toEqual({ status: 200, headers: {} });
  });

  it('rejects with the problem of a store that must not admit, including Retry-After', async () => {
    const problem = new Problem('unavailable', 'Later.', { headers: { 'Retry-After': '1' } });
    const { call } = start({ hits: storeOf(() => Promise.reject(problem)) });
    expect(await call(null)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
  });

  it('rejects a policy name that is invalid in a header', () => {
    expect(() => start({ name: 'a"b' })).toThrow(RangeError);
  });
});

describe('a route with a limit of its own', () => {
  it('shows both limits, the limit of the server first', async () => {
    const { call, routeOf, time } = start();
    await call(ann);
    time.ms += 10_000;
    expect((await call(ann, undefined, { route: routeOf('slow', 2) })).headers).toEqual({
      'RateLimit-Policy': '"gate";q=5;w=60, "endpoint";q=2;w=60',
      RateLimit: '"gate";r=3;t=50, "endpoint";r=1;t=60',
    });
  });

  it('rejects requests over its limit and does not count them', async () => {
    const { call, routeOf } = start();
    const route = routeOf('slow', 1);
    await call(ann, undefined, { route });
    for (let i = 0; i < 10; i++) {
      const rejected = await call(ann, undefined, { route });
      expect(rejected.problem).toMatchObject({
        code: 'limit_exceeded',
        extensions: { 'violated-policies': ['endpoint'] },
      });
      expect(rejected.headers).toMatchObject({
        'Retry-After': '60',
        RateLimit: '"gate";r=4;t=60, "endpoint";r=0;t=60',
      });
    }
    const { problem } = await call(ann, undefined, { route });
    expect(problem?.detail).toContain('The limit is 1 request in any 60 seconds on this endpoint.');
    expect((await call(ann)).headers.RateLimit).toBe('"gate";r=3;t=60');
  });

  it('is not charged when the limit of the server rejects', async () => {
    const { call, routeOf, time } = start({ authenticatedPerWindow: 2 });
    const route = routeOf('slow', 2);
    await call(ann);
    await call(ann);
    time.ms += 1_000;
    const rejected = await call(ann, undefined, { route });
    expect(rejected.problem?.extensions).toMatchObject({ 'violated-policies': ['gate'] });
    expect(rejected.headers).toMatchObject({ 'Retry-After': '59', RateLimit: '"gate";r=0;t=59, "endpoint";r=2;t=0' });
    time.ms += 59_000;
    expect((await call(ann, undefined, { route })).headers.RateLimit).toBe('"gate";r=1;t=60, "endpoint";r=1;t=60');
  });

  it('reports the wait after which every limit admits', async () => {
    const { call, routeOf, time } = start({ authenticatedPerWindow: 2 });
    const route = routeOf('slow', 1);
    await call(ann);
    time.ms += 20_000;
    await call(ann, undefined, { route });
    const rejected = await call(ann, undefined, { route });
    expect(rejected.problem?.extensions).toMatchObject({ 'violated-policies': ['gate', 'endpoint'] });
    expect(rejected.headers).toMatchObject({ 'Retry-After': '60', RateLimit: '"gate";r=0;t=40, "endpoint";r=0;t=60' });
    time.ms += 60_000;
    expect((await call(ann, undefined, { route })).status).toBe(200);
  });

  it('rejects each of several concurrent requests by its own policy', async () => {
    const { call, routeOf } = start({ anonymousPerWindow: 1 });
    const route = routeOf('slow', 1);
    await Promise.all([call(ann, undefined, { route }), call(null)]);
    const rejected = await Promise.all([call(ann, undefined, { route }), call(null)]);
    expect(rejected.map(({ problem }) => problem?.extensions['violated-policies'])).toEqual([['endpoint'], ['gate']]);
  });

  it('counts each route, owner and address separately', async () => {
    const { call, routeOf } = start({ anonymousPerWindow: 10, authenticatedPerWindow: 10 });
    const [a, b] = [routeOf('a', 1), routeOf('b', 1)];
    const bob = { ...ann, owner: 'bob' };
    const responses = [
      await call(ann, undefined, { route: a }),
      await call(ann, undefined, { route: b }),
      await call(bob, undefined, { route: a }),
      await call(null, '203.0.113.1', { route: a }),
      await call(null, '203.0.113.2', { route: a }),
    ];
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200]);
    expect((await call(null, '203.0.113.2', { route: a })).status).toBe(429);
  });

  it('returns what an owner has used of each window, without counting a request', async () => {
    const plans = {
      free: { limits: [{ requests: 2, per: 'second' } as const], quota: { requests: 9, per: 'day' } as const },
    };
    const { call, limiter, time } = start({ plans: { plans, default_plan: 'free', anonymous_plan: '' } });
    const day = { limit: 9, window: 'day' };
    expect(await limiter.usesOf(ann)).toEqual({
      uses: [
        { limit: 2, window: 1_000, used: 0, resetMs: 0 },
        { ...day, used: 0, resetMs: 0 },
      ],
      isEstimate: false,
    });
    await call(ann);
    for (let i = 0; i < 3; i++) expect((await limiter.usesOf(ann))?.uses).toMatchObject([{ used: 1 }, { used: 1 }]);
    time.ms += 1_001;
    const resetMs = 86_400_000 - (time.ms % 86_400_000);
    expect((await limiter.usesOf(ann))?.uses).toMatchObject([{ used: 0 }, { ...day, used: 1, resetMs }]);
    expect(await limiter.usesOf({ owner: 'team', plan: 'gone' })).toBeUndefined();
  });

  it('returns an estimate while the shared counts are unavailable, and no count while nothing is counted', async () => {
    const away = { ...storeOf(() => []), status: () => ({ status: 'degraded' as const }) };
    expect(await start({ hits: away }).limiter.usesOf(ann)).toEqual({ uses: [], isEstimate: true });
  });

  it('keeps its count through a reload', async () => {
    const clock = () => 0;
    const { call, build, routeOf } = start({ hits: createMemoryHitStore({ windowMs: 60_000, clock }) });
    await call(ann, undefined, { route: routeOf('slow', 1) });
    const next = await call(ann, undefined, { by: build(), route: routeOf('slow', 3) });
    expect(next.headers.RateLimit).toBe('"gate";r=3;t=60, "endpoint";r=1;t=60');
  });

  it('is not charged for a wrong key, but the address is', async () => {
    const { call, limiter, contextOf, routeOf } = start();
    const route = routeOf('slow', 1);
    const context = contextOf(null, '203.0.113.7', false, route);
    await limiter.countAddress(context);
    expect(context.limitHeaders).toEqual({ 'RateLimit-Policy': '"gate";q=2;w=60', RateLimit: '"gate";r=1;t=60' });
    expect((await call(null, '203.0.113.7', { route })).headers.RateLimit).toBe('"gate";r=0;t=60, "endpoint";r=0;t=60');
  });

  it('shows exact values for both limits in every response, and charges neither when one rejects', async () => {
    const step = fc.record({ waitMs: fc.constantFrom(0, 0, 1, 900, 7_000, 30_000), isSlow: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { call, routeOf, time } = start({ authenticatedPerWindow: 4 });
        const admitted = { gate: [] as number[], endpoint: [] as number[] };
        const recent = (name: 'gate' | 'endpoint') => admitted[name].filter((at) => at + 60_000 > time.ms);
        for (const { waitMs, isSlow } of steps) {
          time.ms += waitMs;
          const names = isSlow ? (['gate', 'endpoint'] as const) : (['gate'] as const);
          const limits = { gate: 4, endpoint: 2 };
          const full = names.filter((name) => recent(name).length >= limits[name]);
          const response = await call(ann, undefined, isSlow ? { route: routeOf('slow', 2) } : {});
          expect(response.status).toBe(full.length > 0 ? 429 : 200);
          if (full.length === 0) for (const name of names) admitted[name].push(time.ms);
          else expect(response.problem?.extensions['violated-policies']).toEqual(full);
          const expected = names.map((name) => {
            const hits = recent(name);
            const freeMs = hits.length === 0 ? 0 : (hits[0] as number) + 60_000 - time.ms;
            return `"${name}";r=${limits[name] - hits.length};t=${Math.ceil(freeMs / 1_000)}`;
          });
          expect(response.headers.RateLimit).toBe(expected.join(', '));
          const waits = full.map((name) => Math.ceil(((recent(name)[0] as number) + 60_000 - time.ms) / 1_000));
          expect(response.headers['Retry-After']).toBe(full.length > 0 ? String(Math.max(...waits)) : undefined);
        }
      }),
      { numRuns: 200 },
    );
  });
});
