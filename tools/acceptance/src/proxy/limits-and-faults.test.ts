import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, type StandIn, startStandIn } from '../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import type { AtEnd } from '../at-end.ts';
import { pollUntil } from '../poll-until.ts';
import { type ProxyProcess, startProxy } from '../proxy-process.ts';
import { accounts, entryOf, keyOf } from './recorded-proxy.ts';
import { requestsThatAnswer } from './requests.ts';

const people = '/v2/staffmember';
const keysFile = {
  accounts: { admin: accounts.admin },
  keys: [entryOf('one', { owner: 'shared' }), entryOf('other', { owner: 'shared' }), entryOf('alone')],
};

async function start(settings: Readonly<Record<string, unknown>>, atEnd?: AtEnd) {
  const { email, password } = accounts.admin;
  const upstream = await startStandIn({ [email]: password });
  const proxy = await startProxy({ keysFile, settings: { ...settings, upstream_url: upstream.url } }, atEnd);
  return { upstream, proxy };
}

/** Starts a server for the tests of a block. */
function use(settings: Readonly<Record<string, unknown>>) {
  const ends: (() => Promise<unknown>)[] = [];
  let started: { upstream: StandIn; proxy: ProxyProcess };
  beforeAll(async () => {
    started = await start(settings, (end) => ends.unshift(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await started?.upstream.stop();
  });
  return () => started;
}

describe('limits', () => {
  const limits = { rate_limit_enabled: true, rate_limit_per_minute: 3, rate_limit_per_minute_authenticated: 5 };
  const server = use(limits);

  test('rule limits are reported: each response has the remaining quota of all keys of an owner', async () => {
    const { proxy } = server();
    const left: unknown[] = [];
    for (const name of ['one', 'other', 'one', 'other', 'alone']) {
      const { status, headers } = await proxy.callWith(keyOf(name), people);
      expect([status, headers.get('RateLimit-Policy')]).toEqual([200, expect.stringMatching(/q=5;\s*w=60/)]);
      left.push(Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]));
    }
    expect(left).toEqual([4, 3, 2, 1, 4]);
  });

  test('login 429: each attempt counts against the address, even with the right key, and has Retry-After', async () => {
    const { proxy } = server();
    const logIn = (password: string) => proxy.call('/v2/login', { method: 'POST', json: { email: 'alone', password } });
    const wrong = [await logIn('wrong'), await logIn('wrong'), await logIn('wrong')];
    expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401]);
    const { status, headers, body } = await logIn(keyOf('alone'));
    expect([status, body.code]).toEqual([429, 'limit_exceeded']);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('login 429: each attempt counts against the address, also beside a valid key in a header', async () => {
    const { proxy, upstream } = await start(limits);
    const login = { method: 'POST', json: { email: 'one', password: 'wrong' } };
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await proxy.callWith(keyOf('alone'), '/v2/login', login)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    await upstream.stop();
  });

  test('rule pages cost no quota: an address without quota gets pages, the contract, metrics and preflights', async () => {
    const { proxy } = server();
    expect(
      (await proxy.call('/v2/login', { method: 'POST', json: { email: 'alone', password: 'wrong' } })).status,
    ).toBe(429);
    for (const path of ['/', '/docs', '/redoc/page.css', '/openapi.json', '/metrics']) {
      const { status, headers } = await proxy.call(path);
      expect([status, headers.get('RateLimit-Policy')], path).toEqual([200, '"auxiliary";q=600;w=60']);
    }
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
    const asked = await proxy.call(people, { method: 'OPTIONS', headers: preflight });
    expect([asked.status, asked.headers.get('RateLimit')]).toEqual([204, expect.stringContaining('"auxiliary"')]);
    const health = await proxy.call('/health');
    expect([health.status, health.headers.get('RateLimit')]).toEqual([200, null]);
  });
});

describe('an unavailable limit store with the policy closed', () => {
  const server = use({
    ...{ rate_limit_enabled: true, rate_limit_on_store_failure: 'closed', redis_url: 'redis://127.0.0.1:1' },
  });

  test('login 503: rejects logins with Retry-After', async () => {
    const login = { email: 'alone', password: keyOf('alone') };
    const { status, headers, body } = await server().proxy.call('/v2/login', { method: 'POST', json: login });
    expect([status, body.kind]).toEqual([503, 'UnavailableError']);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('metrics, which have a separate limit, are 503 too', async () => {
    const { status, headers } = await server().proxy.call('/metrics');
    expect([status, Number(headers.get('Retry-After')) > 0]).toEqual([503, true]);
  });
});

describe('an account without a free place', () => {
  const server = use({ rate_limit_enabled: true, upstream_concurrency_max: 1, upstream_queue_max: 0 });
  const gone = new AbortController();
  beforeAll(async () => {
    const { proxy, upstream } = server();
    upstream.answers.push(() => {});
    const headers = { 'X-API-Key': keyOf('one') };
    fetch(`${proxy.url}${people}?$top=1`, { headers, signal: gone.signal }).catch(() => {});
    await pollUntil(() => upstream.seen.length === 1, { withinMs: 10_000, describe: () => 'nothing arrived' });
  });
  afterAll(() => gone.abort());

  test.each(requestsThatAnswer(503))(
    '$operationId 503: is returned with Retry-After when the queue is full',
    async ({ method, path, json: body }) => {
      const { proxy, upstream } = server();
      const response = await proxy.callWith(keyOf('alone'), path, { method, json: body });
      expect([response.status, response.body.code, response.body.kind]).toEqual([
        503,
        'unavailable',
        'UnavailableError',
      ]);
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(upstream.seen).toHaveLength(1);
    },
  );
});

describe('faults of the upstream', () => {
  const server = use({ upstream_retries: 0 });

  test.each([
    ['a fault of its own', json(500, { detail: 'inner-secret' }), 'answered 500'],
    ['a redirect', json(302, {}, { Location: 'http://inner-secret.example/' }), 'answered 302'],
    ['what is no JSON', json(200, 'inner-secret'), 'answered 200'],
    ['a refusal of a token that it has just given', json(401, {}), 'answered 401'],
  ])('rule faults of the upstream: %s is 502 with its status and without its internals', async (_, fault, detail) => {
    const { proxy, upstream } = server();
    upstream.answers.splice(0, upstream.answers.length, fault, fault);
    const { status, body, text } = await proxy.callWith(keyOf('alone'), `${people}?$top=2`);
    expect([status, body.code, body.kind]).toEqual([502, 'upstream_failed', 'UpstreamError']);
    expect(body.detail).toContain(detail);
    expect(text).not.toContain('inner-secret');
  });

  test('rule faults of the upstream: a missing response is 504 by the deadline', async () => {
    const { proxy, upstream } = await start({ upstream_timeout_ms: 3_000, upstream_retries: 0 });
    upstream.answers.push(() => {});
    const before = performance.now();
    const { status, body } = await proxy.callWith(keyOf('alone'), people);
    expect([status, body.code]).toEqual([504, 'upstream_timeout']);
    // The default is 15 s.
    expect(performance.now() - before).toBeLessThan(10_000);
    await upstream.stop();
  });
});
