import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../test/start-redis.ts';
import { monotonicNow } from './clock.ts';
import { type Hit, type HitStore, isAdmittedBy, type Verdict } from './hit-store.ts';
import { hitScript } from './redis-hit-script.ts';
import { createRedisHitStore, type RedisHitStoreOptions } from './redis-hit-store.ts';

/**
 * A slow Redis would take 150 ms, and a connection seconds. That it is 50 ms at most shows remote-hit-store.test.ts,
 * where no load delays a timer.
 */
const decisionMsMax = 140;
/** A second or two, and much more on a busy machine. */
const returnMsMax = 10_000;

async function startServer(options?: Parameters<typeof startRedis>[0]) {
  const server = await startRedis(options);
  onTestFinished(() => server.close());
  const admin = async (...command: string[]) => {
    const client = createClient({ url: server.url, RESP: 2 });
    await client.connect();
    const reply = await client.sendCommand(command);
    client.destroy();
    return reply;
  };
  return { ...server, admin };
}

async function openStore(url: string, options: Partial<RedisHitStoreOptions> = {}) {
  const changes: DependencyStatus[] = [];
  const store = createRedisHitStore({
    url,
    prefix: 'test:',
    windowMs: 60_000,
    onFailure: 'local',
    clock: monotonicNow,
    onChange: (status) => changes.push(status),
    ...options,
  });
  onTestFinished(() => store.close());
  await store.opened();
  return { store, changes };
}

const hit: Hit = { keys: ['owner:ann', 'route:x'], limits: [60, 1_000] };

/** Measures the time of a task without the pauses that a busy machine imposed on this process. */
async function measure<T>(task: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const startedMs = performance.now();
  const result = await task();
  const tookMs = performance.now() - startedMs;
  stalls.disable();
  const stallMs = stalls.max / 1e6;
  return { result, tookMs: tookMs - (stallMs > 5 ? 3 * stallMs : 0) };
}

/** Sends hits one by one for a while, `countMin` at least; returns the verdicts and the longest time of one. */
async function hitFor(store: HitStore, ms: number, countMin = 1) {
  const verdicts: Verdict[] = [];
  let longestMs = 0;
  for (const endMs = performance.now() + ms; performance.now() < endMs || verdicts.length < countMin; ) {
    const { result, tookMs } = await measure(async () => store.hit(hit));
    verdicts.push(result);
    longestMs = Math.max(longestMs, tookMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { verdicts, longestMs, admitted: verdicts.filter(isAdmittedBy).length };
}

async function until(store: HitStore, status: DependencyStatus['status']): Promise<number> {
  const startedMs = performance.now();
  while (store.status().status !== status) {
    if (performance.now() - startedMs > 20_000) throw new Error(`Still ${JSON.stringify(store.status())}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - startedMs;
}

/** Forwards to a Redis, and delays its responses. */
async function startSlowProxy(port: number) {
  const sockets = new Set<Socket>();
  const proxy = { delayMs: 0, url: '' };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy();
          far.destroy();
          sockets.delete(socket);
        });
    }
    near.pipe(far);
    far.on('data', (data) => setTimeout(() => near.writable && near.write(data), proxy.delayMs));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `redis://127.0.0.1:${(server.address() as { port: number }).port}`;
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  return proxy;
}

describe('createRedisHitStore', () => {
  it('admits exactly the limit of 10,000 concurrent hits of four processes', async () => {
    const server = await startServer();
    const program = fileURLToPath(new URL('../../test/hit-many-times.ts', import.meta.url));
    const processes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const args = ['--conditions=source', program, server.url, '2500', '300', 'ann'];
        const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
        onTestFinished(() => void child.kill('SIGKILL'));
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        expect((await lines.next()).value).toBe('ready');
        return { child, lines };
      }),
    );
    for (const { child } of processes) child.stdin.write('go\n');
    const admitted = await Promise.all(processes.map(async ({ lines }) => Number((await lines.next()).value)));
    expect(admitted.reduce((sum, each) => sum + each, 0)).toBe(300);
    for (const { child } of processes) if (child.exitCode === null) await once(child, 'exit');
  });

  it('stores neither owners nor addresses in Redis, and nothing without an expiry', async () => {
    const { url, admin } = await startServer();
    const { store } = await openStore(url, { deadlineMs: 5_000 });
    await store.hit({ keys: ['owner:canary', 'address:203.0.113.7'], limits: [5, 5] });
    const names = (await admin('KEYS', '*')) as unknown as string[];
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) {
      expect(name).toMatch(/^test:[\w-]{22}$/);
      const leftMs = (await admin('PTTL', name)) as unknown as number;
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(60_001);
    }
  });

  it('counts each prefix separately', async () => {
    const { url } = await startServer();
    const [a, b] = [
      await openStore(url, { prefix: 'a:', deadlineMs: 5_000 }),
      await openStore(url, { prefix: 'b:', deadlineMs: 5_000 }),
    ];
    const once: Hit = { keys: ['owner:ann'], limits: [1] };
    expect(isAdmittedBy(await a.store.hit(once))).toBe(true);
    expect(isAdmittedBy(await b.store.hit(once))).toBe(true);
  });

  it('loads its script again after Redis lost it', async () => {
    const { url, admin } = await startServer();
    const { store, changes } = await openStore(url, { deadlineMs: 5_000 });
    await store.hit(hit);
    await admin('SCRIPT', 'FLUSH');
    const verdicts = await Promise.all([store.hit(hit), store.hit(hit)]);
    expect(verdicts.map(([state]) => state?.used)).toEqual([2, 3]);
    expect(await admin('SCRIPT', 'EXISTS', hitScript.sha)).toEqual([1]);
    expect(changes).toEqual([]);
  });

  it.each([
    ['set back by less than a window, by stopping time', 30_000, [false, 1]],
    ['set back by an hour, by dropping hits in the future', 3_600_000, [true, 1]],
  ])('handles a clock that is %s', async (_case, byMs, [isAdmitted, used]) => {
    const { url, admin } = await startServer();
    const { store } = await openStore(url, { deadlineMs: 5_000 });
    const one: Hit = { keys: ['owner:ann'], limits: [1] };
    await store.hit(one);
    const ahead = `for _, key in ipairs(redis.call('KEYS', '*')) do
      redis.call('LSET', key, 0, string.format('%.0f', redis.call('LINDEX', key, 0) + ARGV[1]))
    end`;
    await admin('EVAL', ahead, '0', String(byMs));
    expect((await store.hit(one))[0]).toMatchObject({ isAdmitted, used });
  });
});

describe('while Redis is unavailable', () => {
  it('decides soon when Redis is killed, rejects nothing wrongly, and returns to it after a restart', async () => {
    const server = await startServer();
    const { store, changes } = await openStore(server.url);
    for (let i = 0; i < 10; i++) await store.hit(hit);
    // On a busy machine it may have left Redis before.
    await until(store, 'ready');
    changes.length = 0;
    const under = hitFor(store, 300, 60);
    await server.stop();
    const { longestMs, admitted } = await under;
    expect(longestMs).toBeLessThan(decisionMsMax);
    expect(admitted).toBe(50);
    await until(store, 'degraded');
    expect(store.status()).toMatchObject({ status: 'degraded', meanwhile: 'Each process counts its own requests.' });
    await server.start();
    expect(await until(store, 'ready')).toBeLessThan(returnMsMax);
    expect(changes.map(({ status }) => status)).toEqual(['degraded', 'ready']);
    // By its own count it would reject them. One that misses the deadline on a busy machine counts in Redis too.
    const few = expect.toSatisfy((used: number) => used < 60);
    await expect.poll(() => store.hit(hit)).toMatchObject([{ isAdmitted: true, used: few }, { used: few }]);
  });

  it('decides soon when Redis freezes, detects it without a request, and returns to it when it resumes', async () => {
    const server = await startServer();
    const { store } = await openStore(server.url);
    await store.hit(hit);
    server.freeze();
    const { longestMs } = await hitFor(store, 300);
    expect(longestMs).toBeLessThan(decisionMsMax);
    server.thaw();
    expect(await until(store, 'ready')).toBeLessThan(returnMsMax);
    server.freeze();
    expect(await until(store, 'degraded')).toBeLessThan(returnMsMax);
    // Longer than the connect timeout, so that the resumed Redis finds new connections.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect((await hitFor(store, 100)).longestMs).toBeLessThan(decisionMsMax);
    server.thaw();
    expect(await until(store, 'ready')).toBeLessThan(returnMsMax);
    expect((await store.hit(hit)).length).toBe(2);
  });

  it('does not wait for a slow Redis, and returns to it when it is fast again', async () => {
    const server = await startServer();
    const proxy = await startSlowProxy(server.port);
    const { store } = await openStore(proxy.url);
    await store.hit(hit);
    proxy.delayMs = 150;
    const { longestMs, admitted } = await hitFor(store, 500, 60);
    expect(longestMs).toBeLessThan(decisionMsMax);
    expect(admitted).toBeGreaterThanOrEqual(59);
    await expect
      .poll(() => store.status())
      .toMatchObject({ status: 'degraded', reason: expect.stringMatching(/^No response within/) });
    proxy.delayMs = 0;
    expect(await until(store, 'ready')).toBeLessThan(returnMsMax);
  });

  it('leaves a Redis that became a replica, and returns when it may write again', async () => {
    const server = await startServer();
    const { store } = await openStore(server.url);
    await store.hit(hit);
    await server.admin('REPLICAOF', '127.0.0.1', '1');
    const { longestMs, verdicts } = await hitFor(store, 200);
    expect(longestMs).toBeLessThan(decisionMsMax);
    expect(verdicts[0]).toHaveLength(2);
    await expect
      .poll(() => store.status())
      .toMatchObject({ status: 'degraded', reason: 'Redis rejects the command (READONLY).' });
    await server.admin('REPLICAOF', 'NO', 'ONE');
    expect(await until(store, 'ready')).toBeLessThan(returnMsMax);
  });

  it('counts locally while Redis is out of memory', async () => {
    const server = await startServer();
    const { store } = await openStore(server.url);
    await server.admin('CONFIG', 'SET', 'maxmemory', '1');
    expect(await store.hit(hit)).toMatchObject([{ isAdmitted: true }, { isAdmitted: true }]);
    await expect.poll(() => store.status()).toMatchObject({ reason: 'Redis rejects the command (OOM).' });
  });

  it('opens soon without Redis, reports it, and uses Redis once it runs', async () => {
    const server = await startServer();
    await server.stop();
    const opening = await measure(() => openStore(server.url));
    expect(opening.tookMs).toBeLessThan(1_000);
    const { store } = opening.result;
    await expect
      .poll(() => store.status())
      .toMatchObject({ status: 'degraded', reason: 'Redis cannot be reached (ECONNREFUSED).' });
    expect(await store.hit(hit)).toMatchObject([{ used: 1 }, { used: 1 }]);
    await server.start();
    expect(await until(store, 'ready')).toBeLessThan(returnMsMax);
  });

  it('opens soon with a frozen Redis', async () => {
    const server = await startServer();
    server.freeze();
    const opening = await measure(() => openStore(server.url));
    expect(opening.tookMs).toBeLessThan(1_000);
    const { store } = opening.result;
    expect((await hitFor(store, 50)).longestMs).toBeLessThan(decisionMsMax);
    server.thaw();
    expect(await until(store, 'ready')).toBeLessThan(returnMsMax);
  });

  it.each([
    ['wrong', 'redis://:canary@127.0.0.1:'],
    ['missing', 'redis://127.0.0.1:'],
    ['for an unknown user', 'redis://someone:canary@127.0.0.1:'],
  ])('reports a password that is %s, and never shows it', async (_case, address) => {
    const { port } = await startServer({ password: 'the right one' });
    const { store, changes } = await openStore(address + port);
    expect(await store.hit(hit)).toMatchObject([{ used: 1 }, { used: 1 }]);
    await expect
      .poll(() => store.status().reason)
      .toMatch(/^Redis rejects the user, the password or the permissions \((WRONGPASS|NOAUTH)\)\.$/);
    expect(JSON.stringify([store.status(), changes])).not.toContain('canary');
  });

  it('accepts a password with special characters', async () => {
    const { url } = await startServer({ password: 'p@ss/w:rd#%' });
    const { store } = await openStore(url);
    await expect.poll(() => store.status()).toEqual({ status: 'ready', store: 'redis' });
  });

  it('admits or rejects every request, as configured', async () => {
    const server = await startServer();
    const [open, closed] = [
      await openStore(server.url, { onFailure: 'open' }),
      await openStore(server.url, { onFailure: 'closed' }),
    ];
    server.freeze();
    expect(await open.store.hit(hit)).toEqual([]);
    await expect(closed.store.hit(hit)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    expect(closed.store.status().status).toBe('unavailable');
    server.thaw();
    await Promise.all([until(open.store, 'ready'), until(closed.store, 'ready')]);
  });

  it('decides many pending hits at once, and admits no more than the limit', async () => {
    const server = await startServer();
    let leastMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5 && leastMs >= decisionMsMax; round++) {
      const { store } = await openStore(server.url, { prefix: `round-${round}:` });
      server.freeze();
      const hits = () => Promise.all(Array.from({ length: 1_000 }, () => store.hit(hit)));
      const { result: verdicts, tookMs } = await measure(hits);
      server.thaw();
      leastMs = Math.min(leastMs, tookMs);
      expect(verdicts.filter(isAdmittedBy)).toHaveLength(60);
    }
    // Ten batches, one after the other, would take 400 ms.
    expect(leastMs).toBeLessThan(decisionMsMax);
  });
});
