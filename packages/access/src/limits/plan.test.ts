import { Context, type Principal, type Route, unmatchedRoute } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { createLimiter, type LimiterOptions } from './limiter.ts';
import { describePlan, type Plan, policiesOfPlan } from './plan.ts';
import { createMemoryHitStore } from './sliding-window.ts';

const gold: Plan = {
  limits: [
    { requests: 3, per: 'second' },
    { requests: 5, per: 'minute' },
  ],
  quota: { requests: 8, per: 'month' },
};
const plans = { gold, free: { limits: [{ requests: 2, per: 'hour' }] } } satisfies Record<string, Plan>;
const none = { plans, default_plan: '', anonymous_plan: '' };
const noon = Date.UTC(2026, 1, 28, 12);

function start(options: Partial<LimiterOptions> = {}, startMs = noon) {
  const time = { ms: startMs };
  const clock = () => time.ms;
  const hits = createMemoryHitStore({ windowMs: 60_000, clock });
  const build = (more: Partial<LimiterOptions> = {}) =>
    createLimiter({
      ...{ name: 'gate', anonymousPerWindow: 4, authenticatedPerWindow: 6, clock, hits, plans: none },
      ...options,
      ...more,
    });
  let limiter = build();
  const call = async (plan?: string, owner: string | null = 'acme', route: Route = { ...unmatchedRoute }) => {
    const req = { headers: {}, socket: { remoteAddress: '203.0.113.7' } } as unknown as Request;
    const context = new Context(req, {} as Response, route, 'id', 0);
    context.principal = owner === null ? null : ({ name: 'k', owner, scopes: [], plan } satisfies Principal);
    try {
      await limiter(context);
      return { status: 200, ...context.limitHeaders };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status, code, headers, extensions, detail } = error;
      return { status, code, detail, violated: extensions['violated-policies'], ...headers, ...context.limitHeaders };
    }
  };
  const statuses = async (count: number, ...args: Parameters<typeof call>) => {
    const found: number[] = [];
    for (let i = 0; i < count; i++) found.push((await call(...args)).status);
    return found;
  };
  const reload = (more: Partial<LimiterOptions>) => {
    limiter = build(more);
  };
  return { time, call, statuses, reload };
}

describe('a plan', () => {
  it('lists all of its policies, shows the tightest, and names each violated one', async () => {
    const { time, call } = start();
    const policy = '"gold-second";q=3;w=1, "gold-minute";q=5;w=60, "gold-quota";q=8;w=2419200';
    expect(await call('gold')).toEqual({ status: 200, 'RateLimit-Policy': policy, RateLimit: '"gold-second";r=2;t=1' });
    await call('gold');
    await call('gold');
    expect(await call('gold')).toMatchObject({
      status: 429,
      RateLimit: '"gold-second";r=0;t=1',
      'Retry-After': '1',
      violated: ['gold-second'],
      detail: 'Wait 1 s before the next request. The limit is 3 requests in any second.',
    });
    time.ms += 1_000;
    expect(await call('gold')).toMatchObject({ status: 200, RateLimit: '"gold-minute";r=1;t=59' });
    expect(await call('gold')).toMatchObject({ status: 200, RateLimit: '"gold-minute";r=0;t=59' });
    await call('gold');
    expect(await call('gold')).toMatchObject({ status: 429, 'Retry-After': '59', violated: ['gold-minute'] });
    time.ms += 60_000;
    for (let i = 0; i < 3; i++) expect(await call('gold')).toMatchObject({ status: 200 });
    const secondsLeft = (Date.UTC(2026, 2, 1) - time.ms) / 1_000;
    expect(await call('gold')).toMatchObject({
      status: 429,
      RateLimit: `"gold-quota";r=0;t=${secondsLeft}`,
      'Retry-After': String(secondsLeft),
      violated: ['gold-second', 'gold-quota'],
    });
  });

  it.each([
    ['28 days', Date.UTC(2026, 1, 1), 28],
    ['29 days', Date.UTC(2028, 1, 29, 23, 59, 59, 999), 29],
    ['30 days', Date.UTC(2026, 3, 30), 30],
    ['31 days', Date.UTC(2026, 11, 31, 23), 31],
  ])('ends a month of %s with its last millisecond', async (_days, startMs, days) => {
    const { time, call, statuses } = start(
      { plans: { ...none, plans: { m: { quota: { requests: 2, per: 'month' } } } } },
      startMs,
    );
    expect((await call('m'))['RateLimit-Policy']).toBe(`"m-quota";q=2;w=${days * 86_400}`);
    expect(await statuses(2, 'm')).toEqual([200, 429]);
    const date = new Date(startMs);
    time.ms = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), days, 23, 59, 59, 999);
    expect(await statuses(1, 'm')).toEqual([429]);
    time.ms += 1;
    const next = await call('m');
    expect(next.status).toBe(200);
    expect(next['RateLimit-Policy']).not.toBe(undefined);
    expect(await statuses(2, 'm')).toEqual([200, 429]);
  });

  it('renews a quota per day at midnight in UTC', async () => {
    const { time, statuses } = start({ plans: { ...none, plans: { d: { quota: { requests: 1, per: 'day' } } } } });
    expect(await statuses(2, 'd')).toEqual([200, 429]);
    time.ms = Date.UTC(2026, 1, 28, 23, 59, 59, 999);
    expect(await statuses(1, 'd')).toEqual([429]);
    time.ms = Date.UTC(2026, 2, 1);
    expect(await statuses(2, 'd')).toEqual([200, 429]);
  });

  it('decides together with the limit of a route; a rejected request counts nowhere', async () => {
    const { call, time } = start();
    const route = { ...unmatchedRoute, operationId: 'slow', rateLimitPerMinute: 1 };
    expect(await call('gold', 'acme', route)).toMatchObject({
      status: 200,
      RateLimit: '"endpoint";r=0;t=60',
      'RateLimit-Policy': expect.stringMatching(/^"gold-second".*, "endpoint";q=1;w=60$/),
    });
    for (let i = 0; i < 20; i++) {
      expect(await call('gold', 'acme', route)).toMatchObject({ status: 429, violated: ['endpoint'] });
    }
    time.ms += 1_000;
    expect(await call('gold')).toMatchObject({ status: 200, RateLimit: '"gold-second";r=2;t=1' });
  });

  it('holds at once when it is lowered, and counts on when owners change plans', async () => {
    const { statuses, reload, time } = start();
    expect(await statuses(3, 'gold')).toEqual([200, 200, 200]);
    time.ms += 2_000;
    reload({ plans: { ...none, plans: { ...plans, gold: { ...gold, limits: [{ requests: 3, per: 'minute' }] } } } });
    expect(await statuses(1, 'gold')).toEqual([429]);
    reload({ plans: { ...none, plans: { ...plans, silver: { limits: [{ requests: 4, per: 'minute' }] } } } });
    expect(await statuses(2, 'silver')).toEqual([200, 429]);
    // Without a plan, an owner has six requests in any minute, of which the plans have used four.
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('is the default plan for owners without one, and another one for addresses', async () => {
    const { statuses } = start({ plans: { plans, default_plan: 'free', anonymous_plan: 'gold' } });
    expect(await statuses(3, undefined)).toEqual([200, 200, 429]);
    expect(await statuses(4, undefined, null)).toEqual([200, 200, 200, 429]);
  });

  it('leaves the limits of the server to owners and addresses without one', async () => {
    const { statuses, call } = start();
    expect(await call()).toMatchObject({ 'RateLimit-Policy': '"gate";q=6;w=60', RateLimit: '"gate";r=5;t=60' });
    expect(await statuses(6)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await statuses(5, undefined, null)).toEqual([200, 200, 200, 200, 429]);
  });

  it('rejects an unknown plan with 403, and counts it by address', async () => {
    const { call, statuses } = start();
    expect(await call('platinum', 'bob')).toMatchObject({ status: 403, code: 'plan_unknown' });
    expect(await call('x'.repeat(65), 'bob')).toMatchObject({ status: 403, code: 'plan_unknown' });
    expect(await statuses(3, 'platinum', 'bob')).toEqual([403, 403, 429]);
    expect(await statuses(1, 'gold', 'bob')).toEqual([200]);
  });
});

it('describes a plan in words', () => {
  expect(describePlan(gold)).toBe('3 requests a second, 5 a minute, 8 a calendar month (UTC)');
  expect(describePlan({ limits: [{ requests: 1, per: 'hour' }] })).toBe('1 request an hour');
  expect(describePlan({ quota: { requests: 50_000, per: 'day' } })).toBe('50,000 requests a calendar day (UTC)');
});

it('names the policies of a plan by its windows', () => {
  expect(policiesOfPlan('gold', gold).map(({ name }) => name)).toEqual(['gold-second', 'gold-minute', 'gold-quota']);
});
