import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { RawReply } from '@rostergate/server';
import type { Problem } from '@rostergate/server/problem';
import { createTelemetry } from '@rostergate/server/telemetry';
import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';
import { createUpstreamRegistry } from '@rostergate/upstream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Answer, json, startStandIn } from '../../test/stand-in-upstream.ts';
import { createResponseChecks } from '../checks/response-checks.ts';
import { findHiddenParts } from '../hidden/hidden-parts.ts';
import { createReadState } from '../reads/read-state.ts';
import { connectionOptions, settingsSchema } from '../settings.ts';
import type { Caller, StaffCall } from '../staff-call.ts';
import { contractForm } from '../upstream/staff-upstream.ts';
import { createAccountChains } from './account-chains.ts';
import { createAccountMetrics } from './account-metrics.ts';
import { type AccountRegistry, createAccountRegistry } from './account-registry.ts';

const passwords = { 'desk@up.test': 'canary-desk', 'ops@up.test': 'canary-ops' };
const accounts = new Map(
  Object.entries(passwords).map(([email, password]) => {
    const [name = ''] = email.split('@');
    return [name, { name, email, password, companyKey: 'C-1', isAdmin: true }];
  }),
);

type Method = 'get' | 'put' | 'post';
type Asked = Partial<Caller> & { readonly account?: string; readonly body?: unknown; readonly query?: string };

/** The senders of two accounts over real connections to a scripted upstream. */
async function start(more: Record<string, unknown> = {}, now = () => performance.now()) {
  const upstream = await startStandIn(passwords);
  onTestFinished(upstream.stop);
  const settings = settingsSchema.parse({ upstream_url: upstream.url, keys_file: 'keys.json', ...more });
  let skippedMs = 0;
  const clock = () => now() + skippedMs;
  const skip = (ms: number) => {
    skippedMs += ms;
  };
  const telemetry = createTelemetry({ service: 'x', version: '0', clock, logLevel: 'silent' });
  const { registry } = telemetry;
  const dependencies = {
    checks: createResponseChecks(proxyDocument, telemetry),
    reads: createReadState(clock, registry),
  };
  const upstreams = createUpstreamRegistry({
    clock,
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, signal && { signal }),
    upstream: connectionOptions(settings),
  });
  onTestFinished(upstreams.destroy);
  const accountRegistry: AccountRegistry = createAccountRegistry({
    clock,
    metrics: createAccountMetrics(registry, () => accountRegistry),
  });
  const open = (changed: Record<string, unknown> = {}) =>
    createAccountChains({
      settings: { ...settings, ...changed },
      accounts,
      ownBase: '/v2',
      hidden: findHiddenParts(proxyDocument),
      form: contractForm,
      upstreams,
      registry: accountRegistry,
      ...dependencies,
      clock,
    });
  let senders = open();
  senders.takeOver();
  /** Applies a configuration with these settings changed. */
  const reload = (changed: Record<string, unknown> = {}) => {
    const previous = senders;
    senders = open(changed);
    senders.takeOver();
    previous.close();
  };
  let asked = 0;
  /** Returns the reply once it has begun. */
  function begin(method: Method = 'get', { account = 'desk', body, query, ...caller }: Asked = {}): Promise<RawReply> {
    const operation = {
      get: operations.listStaffMembers,
      put: operations.updateStaffMember,
      post: operations.createStaffMember,
    }[method];
    const call: StaffCall = {
      operation,
      path: { staff_key: 'S-1' },
      // Different queries, so that no reads are shared.
      query: query ?? `$top=${++asked}`,
      body: method === 'get' ? undefined : (body ?? {}),
      companyKey: 'C-1',
      headers: {},
      accept: undefined,
    };
    const sendAs = senders.sendOf.get(account);
    if (sendAs === undefined) throw new Error(account);
    return sendAs(call, { requestId: 'r', signal: new AbortController().signal, ...caller });
  }
  /** Returns the reply with its whole body. */
  async function send(
    ...asked: Parameters<typeof begin>
  ): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    const { status, raw } = await begin(...asked);
    return { status, bytes: raw instanceof Readable ? await buffer(raw) : Buffer.from(raw) };
  }
  const metric = async (line: string) => (await registry.metrics()).split('\n').find((each) => each.startsWith(line));
  return { upstream, begin, send, skip, senders: () => senders, reload, accountRegistry, metric };
}

const faultOf = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error) => error as Problem,
  );
const silence: Answer = () => {};
/** Time passes only by `skip`, however slow the machine is. */
const stopped = () => 1_000_000;
/** Sends a byte at a time, without end. */
const drip: Answer = (res) => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '60000' });
  const timer = setInterval(() => res.write(' '), 20);
  res.once('close', () => clearInterval(timer));
};
const untilNone = async (count: () => number) => {
  while (count() > 0) await wait(5);
};

test('keeps stored responses through a reload that does not affect them', async () => {
  const { send, upstream, reload } = await start({ cache_seconds_max: 60 });
  const read = async () => {
    await send('get', { query: '$top=1' });
    return upstream.seen.length;
  };
  expect([await read(), await read()]).toEqual([1, 1]);
  reload();
  reload({ log_level: 'debug' });
  expect(await read()).toBe(1);
  reload({ cache_seconds_max: 30 });
  expect(await read()).toBe(2);
});

describe('the deadline', () => {
  test.each([
    ['is silent', silence],
    ['drips', drip],
  ])('applies to all requests behind an upstream that %s, and leaves none behind', async (_case, answer) => {
    const { upstream, send, reload, accountRegistry } = await start({ upstream_concurrency_max: 2 });
    await send();
    reload({ upstream_timeout_ms: 1_000 });
    upstream.otherwise = answer;
    const startedMs = performance.now();
    const faults = await Promise.all(Array.from({ length: 40 }, () => faultOf(send())));
    // One after the other they would take twenty seconds.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(new Set(faults.map(({ status }) => status))).toEqual(new Set([503, 504]));
    // No queued request was sent after its deadline.
    expect(upstream.seen.length).toBeLessThanOrEqual(1 + 2 + 2);
    await untilNone(() => upstream.pending);
    const [, { gate }] = [...accountRegistry][0] ?? expect.unreachable();
    expect([gate.working, gate.streaming, gate.queued]).toEqual([0, 0, 0]);
  });

  test('applies to a login without a response, which continues for later requests', async () => {
    const { upstream, send, reload } = await start({ upstream_retries: 0 });
    reload({ upstream_timeout_ms: 3_000 });
    upstream.onLogin = silence;
    const faults = await Promise.all([faultOf(send()), faultOf(send('put'))]);
    expect(faults.map(({ status }) => status)).toEqual([504, 504]);
    expect(upstream.logins).toHaveLength(1);
    // The login began after both requests, so it may end after them.
    await untilNone(() => upstream.pending);
    reload();
    upstream.onLogin = undefined;
    expect((await send()).status).toBe(200);
  });
});

describe('a storm of 401', () => {
  test('causes one login for all requests, and ends by itself', async () => {
    const { upstream, send, metric } = await start({}, stopped);
    await send();
    upstream.otherwise = json(401, { code: 'token_expired' });
    const faults = await Promise.all(Array.from({ length: 50 }, (_, i) => faultOf(send(i % 2 === 0 ? 'get' : 'post'))));
    expect(new Set(faults.map(({ status }) => status))).toEqual(new Set([502]));
    expect(upstream.logins.length).toBeLessThanOrEqual(2);
    upstream.otherwise = json(200, []);
    expect((await send()).status).toBe(200);
    expect(await metric('upstream_account_logins_total')).toBe(
      'upstream_account_logins_total{account="desk",outcome="ok"} 2',
    );
  });

  test('affects no request when a new login ends it', async () => {
    const { upstream, send } = await start();
    await send();
    upstream.forgetTokens();
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => send(i % 2 === 0 ? 'get' : 'post')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(upstream.logins).toHaveLength(2);
  });
});

describe('a 429', () => {
  test('holds only its account for its Retry-After', async () => {
    const { upstream, send, senders, metric } = await start({ upstream_timeout_ms: 20_000 }, stopped);
    upstream.answers.push(json(429, {}, { 'Retry-After': '30' }));
    expect(await faultOf(send())).toMatchObject({ status: 503, headers: { 'Retry-After': '30' } });
    expect(await faultOf(send('post'))).toMatchObject({ status: 503 });
    expect(upstream.seen).toHaveLength(1);
    expect((await send('get', { account: 'ops' })).status).toBe(200);
    expect(senders().accountsStatus()).toMatchObject({
      status: 'degraded',
      accounts: { desk: { status: 'degraded', reason: expect.stringContaining('30 s') }, ops: { status: 'ready' } },
    });
    expect(await metric('upstream_account_limited_total')).toBe('upstream_account_limited_total{account="desk"} 1');
    expect(await metric('upstream_account_held_seconds{account="desk"}')).toMatch(/ (29|30)/);
  });

  test('outlives the configuration that received it', async () => {
    const { upstream, send, reload } = await start({ upstream_timeout_ms: 20_000 }, stopped);
    upstream.answers.push(json(429, {}, { 'Retry-After': '30' }));
    await faultOf(send());
    reload();
    expect(await faultOf(send())).toMatchObject({ status: 503 });
    expect(upstream.seen).toHaveLength(1);
  });

  test('with a short Retry-After only delays a read', async () => {
    const { upstream, send } = await start();
    upstream.answers.push(json(429, {}, { 'Retry-After': '0' }), json(429, {}, { 'Retry-After': '0' }));
    expect((await send()).status).toBe(200);
    expect(upstream.seen).toHaveLength(3);
  });
});

describe('the breaker of an account', () => {
  test('opens for it alone, shows in readiness and metrics, and closes again', async () => {
    const { upstream, send, skip, senders, metric } = await start({ upstream_retries: 0 }, stopped);
    await send('get', { account: 'ops' });
    upstream.otherwise = json(503, { detail: 'secret' });
    for (let i = 0; i < 6; i++) await faultOf(send());
    const before = upstream.seen.length;
    expect(await faultOf(send())).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(upstream.seen).toHaveLength(before);
    upstream.otherwise = json(200, []);
    expect((await send('get', { account: 'ops' })).status).toBe(200);
    expect(senders().accountsStatus()).toMatchObject({
      status: 'degraded',
      accounts: { desk: { status: 'degraded' } },
    });
    expect(await metric('upstream_account_breaker_open{account="desk"}')).toMatch(/ 1$/);
    expect(await metric('upstream_account_breaker_open{account="ops"}')).toMatch(/ 0$/);
    skip(1_000);
    expect((await send()).status).toBe(200);
    expect(senders().accountsStatus().status).toBe('ready');
  });

  test('makes it degraded while one path fails, and ready again without calls of that path', async () => {
    const { upstream, send, skip, senders } = await start({ upstream_retries: 0 }, stopped);
    await send('get', { account: 'ops' });
    upstream.otherwise = json(503, {});
    for (const account of ['desk', 'ops']) for (let i = 0; i < 6; i++) await faultOf(send('get', { account }));
    expect(senders().accountsStatus()).toMatchObject({
      status: 'degraded',
      accounts: { desk: { status: 'degraded', reason: expect.any(String) }, ops: { status: 'degraded' } },
    });
    skip(60_000);
    expect(senders().accountsStatus().status).toBe('ready');
  });

  test('makes it unavailable while all paths fail, until a probe is due', async () => {
    const { upstream, send, skip, senders } = await start({ upstream_retries: 0 }, stopped);
    await send();
    const deskStatus = () => (senders().accountsStatus().accounts as Record<string, { status: string }>).desk?.status;
    upstream.otherwise = json(503, {});
    for (let i = 0; i < 6; i++) for (const method of ['get', 'put'] as const) await faultOf(send(method));
    expect(deskStatus()).toBe('unavailable');
    skip(2_000);
    expect(deskStatus()).toBe('degraded');
  });
});

describe('retries', () => {
  const reset: Answer = (res) => res.socket?.resetAndDestroy();

  test('are for reads: a write without a response is sent once', async () => {
    const { upstream, send } = await start();
    await send();
    upstream.answers.push(reset);
    expect((await send()).status).toBe(200);
    for (const method of ['put', 'post'] as const) {
      upstream.answers.push(reset);
      expect(await faultOf(send(method))).toMatchObject({ status: 502 });
    }
    expect(upstream.seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'PUT', 'POST']);
  });

  test.each([
    [
      'as the next request comes',
      (socket: NonNullable<ServerResponse['socket']>) =>
        void socket.prependOnceListener('data', () => socket.resetAndDestroy()),
    ],
    ['at once', (socket: NonNullable<ServerResponse['socket']>) => void setImmediate(() => socket.end())],
    ['after a while', (socket: NonNullable<ServerResponse['socket']>) => void setTimeout(() => socket.destroy(), 1)],
  ])('duplicate no write when an idle connection is closed %s', async (_case, close) => {
    const { upstream, send } = await start();
    await send();
    let answered = 0;
    upstream.otherwise = (res, ...rest) => {
      const { socket } = res;
      // Enough requests succeed for the breaker to stay closed.
      if (++answered % 3 === 0) res.once('finish', () => socket && close(socket));
      json(200, {})(res, ...rest);
    };
    let done = 0;
    for (let i = 0; i < 300; i++) {
      await send(i % 2 === 0 ? 'put' : 'post', { body: { StaffId: `S-${i}` } }).then(
        () => done++,
        () => {},
      );
    }
    const writes = upstream.seen.filter(({ method }) => method !== 'GET').map(({ body }) => body);
    expect(new Set(writes).size).toBe(writes.length);
    expect(done).toBeLessThanOrEqual(writes.length);
    expect(done).toBeGreaterThanOrEqual(150);
  });
});

describe('callers', () => {
  test('are not starved by the burst of another owner', async () => {
    const { upstream, send } = await start({ upstream_concurrency_max: 4 });
    await send();
    upstream.otherwise = (res, ...rest) => void setTimeout(() => json(200, [])(res, ...rest), 20);
    const order: string[] = [];
    const ask = (owner: string) => send('get', { principal: { owner } }).then(() => order.push(owner));
    const burst = Array.from({ length: 80 }, () => ask('greedy'));
    await wait(5);
    const before = order.length;
    await ask('modest');
    expect(order.length - before).toBeLessThan(20);
    await Promise.all(burst);
  });

  test('that read slowly occupy at most half of the slots', async () => {
    const { upstream, begin, send } = await start({ upstream_concurrency_max: 4, upstream_timeout_ms: 20_000 });
    await send();
    upstream.otherwise = json(200, ['x'.repeat(4_000_000)]);
    const slow = await Promise.all(Array.from({ length: 12 }, () => begin()));
    upstream.otherwise = json(200, []);
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    for (const { raw } of slow) expect((await buffer(raw as Readable)).length).toBe(4_000_004);
  });

  test('that disconnect leave no request at the upstream and no slot taken', async () => {
    const { upstream, send, accountRegistry } = await start({ upstream_concurrency_max: 2 });
    await send();
    upstream.otherwise = silence;
    const aborts = Array.from({ length: 10 }, () => new AbortController());
    const faults = aborts.map(({ signal }) => faultOf(send('get', { signal })));
    while (upstream.seen.length < 3) await wait(1);
    for (const abort of aborts) abort.abort();
    expect(
      new Set((await Promise.all(faults)).map((fault) => (fault as Problem & { reason?: string }).reason)),
    ).toEqual(new Set(['abandoned']));
    await untilNone(() => upstream.pending);
    const [, { gate }] = [...accountRegistry][0] ?? expect.unreachable();
    expect([gate.working, gate.queued]).toEqual([0, 0]);
    upstream.otherwise = json(200, []);
    expect((await send()).status).toBe(200);
  });
});

describe('sockets', () => {
  test('are released after every kind of fault', async () => {
    const { upstream, send, reload, accountRegistry } = await start({ upstream_retries: 0 });
    await send();
    reload({ upstream_timeout_ms: 200, upstream_body_timeout_ms: 200 });
    const half: Answer = (res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '200000' });
      res.write(`[${' '.repeat(100_000)}`);
    };
    const faults: Answer[] = [
      silence,
      drip,
      half,
      (res) => res.socket?.end('nonsense\r\n\r\n'),
      (res) => res.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': '100000' }).write('<'),
      (res) => res.writeHead(302, { Location: 'http://elsewhere/' }).end(),
      (res) => res.writeHead(404, { 'Content-Type': 'application/json' }).write('{'),
      json(500, { stack: 'x'.repeat(200_000) }),
      json(429, {}),
      json(401, {}),
    ];
    for (const fault of faults) {
      for (const account of ['desk', 'ops']) {
        upstream.answers.push(fault);
        await send('get', { account }).catch(() => {});
        upstream.answers.length = 0;
      }
    }
    for (const [, { gate }] of accountRegistry) expect([gate.working, gate.streaming, gate.queued]).toEqual([0, 0, 0]);
    await untilNone(() => upstream.pending);
    await expect.poll(() => upstream.connections()).toBeLessThanOrEqual(3);
  });
});
