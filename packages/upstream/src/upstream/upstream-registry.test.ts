import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UnreadBody } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createChance } from '../../test/create-chance.ts';
import { createManualTime } from '../../test/manual-time.ts';
import { type Behaviour, startFaultUpstream } from '../../test/start-fault-upstream.ts';
import type { SendOnce, UpstreamRequest } from './upstream.ts';
import { createUpstreamRegistry, type UpstreamRegistryOptions } from './upstream-registry.ts';

function startRegistry(options: Partial<UpstreamRegistryOptions> = {}) {
  const time = createManualTime();
  const registry = createUpstreamRegistry({ clock: time.clock, wait: time.wait, random: () => 0.5, ...options });
  onTestFinished(() => registry.destroy());
  const lease = (targets: readonly string[], retries = 2, timeoutMs = 5_000) =>
    registry.lease({ targets, retries, timeoutMs });
  return { registry, time, lease };
}

const get: UpstreamRequest = { method: 'GET', path: '/x' };
const post: UpstreamRequest = { method: 'POST', path: '/x', body: 'once' };
const read = async (send: SendOnce, request: UpstreamRequest) => text((await send(request)).body);
const faultOf = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error) => error as Problem,
  );
/** Fails `times` times, then responds. */
const failing = (times: number, behaviour: Behaviour) => (n: number) => (n < times ? behaviour : 'answer');

it('calls onHead with the head of a response', async () => {
  const upstream = await startFaultUpstream('answer');
  const { lease } = startRegistry();
  const heads: number[] = [];
  expect(await read(lease([upstream.url]).send, { ...get, onHead: ({ status }) => heads.push(status) })).toBe('ok');
  expect(heads).toEqual([200]);
});

describe('a request to an upstream that fails', () => {
  it.each<Behaviour>(['reset', 'close', 'garbage', { status: 503 }, { status: 502, body: 'x'.repeat(100_000) }])(
    'is retried after %j with growing delays, and succeeds',
    async (behaviour) => {
      const upstream = await startFaultUpstream(failing(2, behaviour));
      const { lease, time } = startRegistry();
      expect(await read(lease([upstream.url]).send, get)).toBe('ok');
      expect(upstream.requests).toHaveLength(3);
      expect(time.waits).toEqual([25, 50]);
    },
  );

  it('ends with the fault or the last response when retries are used up', async () => {
    const upstream = await startFaultUpstream('reset');
    const { lease } = startRegistry();
    expect(await faultOf(lease([upstream.url], 2).send(get))).toMatchObject({ code: 'upstream_failed' });
    expect(upstream.requests).toHaveLength(3);
    const busy = await startFaultUpstream({ status: 503, headers: { 'Retry-After': '60' }, body: 'later' });
    const response = await lease([busy.url]).send(get);
    expect([response.status, response.headers['retry-after'], await text(response.body)]).toEqual([503, '60', 'later']);
    expect(busy.requests).toHaveLength(1);
  });

  it.each<Behaviour>(['reset', 'close', 'garbage', { status: 503 }])(
    'is never sent again after %j when it may have been done',
    async (behaviour) => {
      const upstream = await startFaultUpstream(failing(1, behaviour));
      const { lease } = startRegistry();
      await lease([upstream.url])
        .send(post)
        .then(
          (response) => text(response.body),
          () => {},
        );
      expect(upstream.requests).toEqual(['POST /x once']);
    },
  );

  it('is retried with its body when it is repeatable, but never with a half-sent body', async () => {
    const upstream = await startFaultUpstream(failing(1, 'reset'));
    const { lease } = startRegistry();
    const { send } = lease([upstream.url]);
    expect(await read(send, { ...post, method: 'PUT' })).toBe('ok');
    expect(upstream.requests).toEqual(['PUT /x once', 'PUT /x once']);
    const streamed = await startFaultUpstream(failing(1, 'reset'));
    const put = { method: 'PUT', path: '/x', body: Readable.from(['stream']) };
    await faultOf(lease([streamed.url]).send(put));
    expect(streamed.requests).toHaveLength(1);
  });

  it('is no longer retried when the budget is used up', async () => {
    const upstream = await startFaultUpstream({ status: 503 });
    const { lease } = startRegistry({ breaker: { failureShare: 0.99, requestsMin: 20_000, window: 20_000 } });
    const { send } = lease([upstream.url], 10);
    for (let i = 0; i < 100; i++) await read(send, get);
    // A reserve of 10, a fifth of the requests, and the few retries earned by time.
    expect(upstream.requests.length).toBeLessThan(100 + 10 + 20 + 5);
  });

  it('is cancelled when the caller leaves while it waits', async () => {
    const upstream = await startFaultUpstream('reset');
    const abort = new AbortController();
    const wait = async () => {
      abort.abort();
      throw abort.signal.reason;
    };
    const { lease } = startRegistry({ wait });
    await faultOf(lease([upstream.url]).send({ ...get, signal: abort.signal }));
    expect(upstream.requests).toHaveLength(1);
  });

  it('ends by its deadline, retries included, and leaves no socket open', async () => {
    const upstream = await startFaultUpstream('silence');
    const { lease, time } = startRegistry();
    time.pass(1);
    const fault = await faultOf(lease([upstream.url], 5, 30).send(get));
    expect(fault).toMatchObject({ code: 'upstream_timeout', status: 504 });
    await upstream.allClosed();
    expect(upstream.sockets.size).toBe(0);
  });

  it('breaks the stream of a truncated response, and is not retried', async () => {
    const upstream = await startFaultUpstream('truncate');
    const { lease } = startRegistry();
    const response = await lease([upstream.url]).send(get);
    expect(await faultOf(text(response.body))).toMatchObject({ code: 'upstream_failed' });
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a reused connection that closes', () => {
  it('duplicates no write', async () => {
    const upstream = await startFaultUpstream('answer once');
    const { lease } = startRegistry();
    const { send } = lease([upstream.url]);
    const outcomes = { done: 0, failed: 0 };
    for (let i = 0; i < 100; i++) {
      await read(send, { ...post, body: `write ${i}` }).then(
        () => outcomes.done++,
        () => outcomes.failed++,
      );
    }
    const writes = upstream.requests.map((request) => request.slice('POST /x '.length));
    expect(new Set(writes).size).toBe(writes.length);
    expect(outcomes.done).toBe(writes.length);
    expect(outcomes.done + outcomes.failed).toBe(100);
  });

  it('fails no read', async () => {
    const upstream = await startFaultUpstream('answer once');
    const { lease } = startRegistry({ breaker: { failureShare: 0.9 } });
    const { send } = lease([upstream.url]);
    for (let i = 0; i < 8; i++) expect(await read(send, get)).toBe('ok');
  });
});

describe('several targets', () => {
  it('receive a request that another one never got, for any method, without a retry', async () => {
    const [down, up] = [await startFaultUpstream('answer'), await startFaultUpstream('answer')];
    await down.stop();
    const { lease, time } = startRegistry({ random: () => 0 });
    const { send } = lease([down.url, up.url], 0);
    for (let i = 0; i < 4; i++) expect(await read(send, { ...post, body: `${i}` })).toBe('ok');
    expect(up.requests).toEqual(['POST /x 0', 'POST /x 1', 'POST /x 2', 'POST /x 3']);
    expect(time.waits).toEqual([]);
  });

  it('receive a body of a caller that has not been read', async () => {
    const [down, up] = [await startFaultUpstream('answer'), await startFaultUpstream('answer')];
    await down.stop();
    const { lease } = startRegistry({ random: () => 0 });
    const req = Object.assign(Readable.from([Buffer.from('streamed')]), { headers: { 'content-length': '8' } });
    const body = new UnreadBody(req as never, 100);
    expect(await read(lease([down.url, up.url], 0).send, { ...post, body, headers: { 'content-length': '8' } })).toBe(
      'ok',
    );
    expect(up.requests).toEqual(['POST /x streamed']);
  });

  it('replace each other when one responds with 503', async () => {
    const busy = await startFaultUpstream({ status: 503, headers: { 'Retry-After': '3' } });
    const up = await startFaultUpstream('answer');
    const { lease, time } = startRegistry({ random: () => 0 });
    expect(await read(lease([busy.url, up.url]).send, get)).toBe('ok');
    expect([busy.requests.length, up.requests.length, time.waits]).toEqual([1, 1, [0]]);
  });

  it('lose one whose breaker opens, and regain it by a probe that fails no caller', async () => {
    let isDown = true;
    const flaky = await startFaultUpstream(() => (isDown ? 'reset' : 'answer'));
    const up = await startFaultUpstream('answer');
    const { lease, registry, time } = startRegistry({ random: createChance() });
    const { send } = lease([flaky.url, up.url]);
    for (let i = 0; i < 30; i++) expect(await read(send, get)).toBe('ok');
    expect(registry.status()).toEqual({ status: 'degraded', targets: 2, open: [flaky.host] });
    const before = flaky.requests.length;
    for (let i = 0; i < 5; i++) await read(send, get);
    expect(flaky.requests).toHaveLength(before);
    time.pass(1_000);
    expect(await read(send, get)).toBe('ok');
    expect(flaky.requests).toHaveLength(before + 1);
    isDown = false;
    time.pass(2_000);
    expect(await read(send, get)).toBe('ok');
    expect(registry.status()).toMatchObject({ status: 'ready', open: [] });
  });

  it('respond with 503 and the time of the next probe when all are down', async () => {
    const upstream = await startFaultUpstream('reset');
    const { lease, time } = startRegistry();
    const { send } = lease([upstream.url], 0);
    for (let i = 0; i < 5; i++) await faultOf(send(get));
    const fault = await faultOf(send(get));
    expect(fault).toBeInstanceOf(Problem);
    expect(fault).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
    expect(fault.message).not.toContain('127.0.0.1');
    expect(upstream.requests).toHaveLength(5);
    time.pass(1_000);
    await faultOf(send(get));
    expect(upstream.requests).toHaveLength(6);
  });
});

describe('a call', () => {
  it('counts once for the breaker, also with retries', async () => {
    const upstream = await startFaultUpstream('reset');
    const { lease } = startRegistry();
    const { send } = lease([upstream.url]);
    for (let i = 0; i < 4; i++) expect(await faultOf(send(get))).toMatchObject({ code: 'upstream_failed' });
    expect(upstream.requests).toHaveLength(12);
    await faultOf(send(get));
    expect(await faultOf(send(get))).toMatchObject({ code: 'unavailable' });
  });

  it('that fails for one path or one caller rejects no other', async () => {
    const upstream = await startFaultUpstream((_n, request) => (request.includes('bad') ? 'reset' : 'answer'));
    const { send } = startRegistry().lease([upstream.url], 0);
    const bad = { method: 'POST', path: '/bad?n=1', body: 'once', caller: 'a' };
    for (let i = 0; i < 5; i++) await faultOf(send(bad));
    expect(await faultOf(send(bad))).toMatchObject({ code: 'unavailable' });
    expect(await faultOf(send({ ...bad, caller: 'b' }))).toMatchObject({ code: 'upstream_failed' });
    expect(await read(send, { ...get, caller: 'a' })).toBe('ok');
  });

  it('to a target that cannot be reached rejects every other', async () => {
    const upstream = await startFaultUpstream('answer');
    await upstream.stop();
    const { send } = startRegistry().lease([upstream.url], 0);
    for (let i = 0; i < 5; i++) await faultOf(send({ ...get, caller: 'a' }));
    expect(await faultOf(send({ ...get, path: '/other', caller: 'b' }))).toMatchObject({ code: 'unavailable' });
  });
});

describe('a scope', () => {
  it('has its own breakers, and shares connections', async () => {
    const upstream = await startFaultUpstream((_n, request) => (request.includes('bad') ? { status: 503 } : 'answer'));
    const { registry } = startRegistry();
    const group = { targets: [upstream.url], retries: 0, timeoutMs: 5_000 };
    const [a, b] = [registry.lease({ ...group, scope: 'a' }), registry.lease({ ...group, scope: 'b' })];
    for (let i = 0; i < 5; i++) await read(a.send, { method: 'GET', path: `/bad/${i}` });
    expect(await faultOf(a.send(get))).toMatchObject({ code: 'unavailable' });
    expect(await read(b.send, get)).toBe('ok');
    expect([a.state, b.state]).toEqual(['unavailable', 'ready']);
    expect(registry.status().open).toEqual([upstream.host]);
    expect(upstream.sockets.size).toBeLessThanOrEqual(2);
    a.release();
    expect(registry.status().open).toEqual([]);
  });

  it('keeps its breaker across configurations', async () => {
    const upstream = await startFaultUpstream({ status: 503 });
    const { registry } = startRegistry();
    const group = { targets: [upstream.url], retries: 0, timeoutMs: 5_000, scope: 'a' };
    const old = registry.lease(group);
    for (let i = 0; i < 5; i++) await read(old.send, { ...get, path: `/${i}` });
    const next = registry.lease(group);
    old.release();
    expect(next.state).toBe('unavailable');
  });
});

describe('the state of a lease', () => {
  const startBad = async () => {
    const upstream = await startFaultUpstream((_n, request) => (request.includes('bad') ? { status: 503 } : 'answer'));
    const { lease, registry, time } = startRegistry();
    return { held: lease([upstream.url], 0), registry, time };
  };

  it('is degraded, not unavailable, while the breaker rejects one path, and ready later without a call', async () => {
    const { held, registry, time } = await startBad();
    for (let i = 0; i < 5; i++) await read(held.send, { method: 'GET', path: '/bad' });
    expect(await faultOf(held.send({ method: 'GET', path: '/bad' }))).toMatchObject({ code: 'unavailable' });
    expect(held.state).toBe('degraded');
    time.pass(31_000);
    expect(await read(held.send, get)).toBe('ok');
    expect([held.state, registry.status().status]).toEqual(['ready', 'ready']);
  });

  it('is unavailable while the breaker rejects every request, and degraded once a probe is due', async () => {
    const { held, time } = await startBad();
    for (let i = 0; i < 5; i++) await read(held.send, { method: 'GET', path: `/bad/${i}` });
    expect(held.state).toBe('unavailable');
    time.pass(1_000);
    expect(held.state).toBe('degraded');
    expect(await read(held.send, get)).toBe('ok');
    expect(held.state).toBe('ready');
  });
});

describe('a group', () => {
  it('that handles limits gets a 429 at once', async () => {
    const upstream = await startFaultUpstream({ status: 429, headers: { 'Retry-After': '1' } });
    const { registry, time } = startRegistry();
    const { send } = registry.lease({ targets: [upstream.url], retries: 2, timeoutMs: 5_000, returnsLimits: true });
    expect((await send(get)).status).toBe(429);
    expect([upstream.requests.length, time.waits]).toEqual([1, []]);
  });

  it('that is unbroken sends requests after any failure', async () => {
    let isDown = true;
    const upstream = await startFaultUpstream(() => (isDown ? { status: 503 } : 'answer'));
    const { registry } = startRegistry();
    const { send } = registry.lease({ targets: [upstream.url], retries: 0, timeoutMs: 5_000, hasNoBreaker: true });
    for (let i = 0; i < 30; i++) expect((await send(get)).status).toBe(503);
    isDown = false;
    expect((await send(get)).status).toBe(200);
    expect(registry.status().open).toEqual([]);
  });
});

describe('createUpstreamRegistry', () => {
  it('shares connections and breakers of equal groups', async () => {
    const upstream = await startFaultUpstream('answer');
    const { lease, registry } = startRegistry();
    const [a, b] = [lease([upstream.url]), lease([upstream.url], 0)];
    await read(a.send, get);
    await read(b.send, get);
    // Two, because the next request can start before the first connection is marked as free.
    expect([upstream.sockets.size <= 2, registry.status().targets]).toEqual([true, 1]);
    a.release();
    a.release();
    await read(b.send, get);
    expect(upstream.sockets.size).toBeLessThanOrEqual(2);
    b.release();
    await upstream.allClosed();
    expect(registry.status().targets).toBe(0);
  });

  it('has separate connections for other timeouts, and closes unused ones', async () => {
    const upstream = await startFaultUpstream('answer');
    const { registry } = startRegistry();
    const group = { targets: [upstream.url], retries: 0, timeoutMs: 5_000 };
    const old = registry.lease({ ...group, connections: { bodyTimeoutMs: 5_000 } });
    await read(old.send, get);
    const [held] = upstream.sockets;
    const next = registry.lease({ ...group, connections: { bodyTimeoutMs: 6_000 } });
    await read(next.send, get);
    expect([...upstream.sockets].filter((socket) => socket !== held)).not.toEqual([]);
    old.release();
    await expect.poll(() => held?.destroyed).toBe(true);
    expect(await read(next.send, get)).toBe('ok');
    expect(registry.status().targets).toBe(1);
  });

  it('serves a request after its lease was released, and closes afterwards', async () => {
    const upstream = await startFaultUpstream('answer');
    const { lease } = startRegistry();
    const { send, release } = lease([upstream.url]);
    release();
    expect(await read(send, get)).toBe('ok');
    await upstream.allClosed();
    expect(upstream.sockets.size).toBe(0);
  });

  it('closes no connection of a request in flight', async () => {
    const upstream = await startFaultUpstream('silence');
    const { lease } = startRegistry();
    const { send, release } = lease([upstream.url]);
    const response = read(send, get);
    while (upstream.requests.length === 0) await new Promise(setImmediate);
    release();
    const [socket] = [...upstream.sockets];
    socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n');
    socket?.write('late');
    expect(await response).toBe('late');
    await upstream.allClosed();
  });

  it('holds nothing after thousands of leases', async () => {
    const metrics = new Registry();
    const { registry, lease } = startRegistry();
    registry.countIn(metrics);
    const held = lease(['http://127.0.0.1:9']);
    await faultOf(held.send(get));
    for (let i = 0; i < 5_000; i++) {
      const { send, release } = lease([`http://127.0.0.1:${1 + (i % 8)}`, 'http://127.0.0.1:9'], 0, 1_000 + i);
      if (i % 500 === 0) await faultOf(send(get));
      release();
    }
    expect(registry.status().targets).toBe(1);
    const series = (await metrics.metrics()).match(/target="[^"]+"/g);
    expect(new Set(series)).toEqual(new Set(['target="127.0.0.1:9"']));
  });

  it('counts requests, retries and times by host', async () => {
    const metrics = new Registry();
    const upstream = await startFaultUpstream(failing(1, 'reset'));
    const { registry, lease } = startRegistry();
    registry.countIn(metrics);
    await read(lease([`${upstream.url}/secret-path`]).send, get);
    const figures = await metrics.metrics();
    expect(figures).toContain(`upstream_requests_total{target="${upstream.host}",outcome="broken"} 1`);
    expect(figures).toContain(`upstream_requests_total{target="${upstream.host}",outcome="2xx"} 1`);
    expect(figures).toContain('upstream_retries_total 1');
    expect(figures).not.toContain('secret-path');
  });

  it.each(['ftp://a', 'nonsense', 'http://canary:canary@a', 'http://a/?canary', 'http://a/#canary'])(
    'rejects the target %s without repeating it',
    (target) => {
      const { lease, registry } = startRegistry();
      expect(() => lease(['http://a', target])).toThrow(RangeError);
      expect(() => lease([target])).not.toThrow(/canary/);
      expect(registry.status().targets).toBe(0);
    },
  );

  it('aborts all requests when it is destroyed', async () => {
    const upstream = await startFaultUpstream('silence');
    const { lease, registry } = startRegistry();
    const fault = faultOf(lease([upstream.url], 0).send(get));
    while (upstream.sockets.size === 0) await new Promise(setImmediate);
    const closed = [...upstream.sockets].map((socket) => once(socket, 'close'));
    await registry.destroy();
    expect(await fault).toBeInstanceOf(Problem);
    await Promise.all(closed);
  });
});
