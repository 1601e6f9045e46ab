import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRedisCluster, startRedisSentinel } from '../../test/start-redis-fleet.ts';
import { monotonicNow } from './clock.ts';
import { type Hit, type HitStore, isAdmittedBy } from './hit-store.ts';
import { createRedisHitStore } from './redis-hit-store.ts';

const hitOf = (client: string, limit = 60): Hit => ({
  client: `owner:${client}`,
  keys: [`owner:${client}`, `hour\nowner:${client}`, `quota-month\nowner:${client}`],
  limits: [limit, 200, 300],
  windows: [60_000, 3_600_000, 'month'],
});

async function admittedOf(store: HitStore, hit: Hit, count: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: count }, () => store.hit(hit)));
  return verdicts.filter(isAdmittedBy).length;
}

async function untilReady(store: HitStore): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (store.status().status !== 'ready') {
    if (performance.now() > deadlineMs) throw new Error(`Not ready: ${JSON.stringify(store.status())}`);
    await wait(20);
  }
}

describe.each([
  ['a cluster', startRedisCluster],
  ['sentinels', startRedisSentinel],
])('limits in %s', (_name, startFleet) => {
  it('are exact over stores, also after a failover, and reject no request below the limit meanwhile', async () => {
    const fleet = await startFleet();
    onTestFinished(() => fleet.close());
    const open = async () => {
      const store = createRedisHitStore({
        ...{ url: fleet.url, prefix: 'test:', windowMs: 60_000, onFailure: 'local', clock: monotonicNow },
        // Long, because the processes share few cores; the test checks what is admitted, not when.
        deadlineMs: 2_000,
      });
      onTestFinished(() => store.close());
      await untilReady(store);
      return store;
    };
    const stores = await Promise.all([open(), open()]);
    const [one, other] = stores as [HitStore, HitStore];
    const clients = Array.from({ length: 12 }, (_, i) => `client ${i}`);
    for (const client of clients) {
      const found = await Promise.all(stores.map((store) => admittedOf(store, hitOf(client), 40)));
      expect((found[0] as number) + (found[1] as number), client).toBe(60);
    }
    // Half of their limit, before the failover.
    const fresh = clients.map((client) => `fresh ${client}`);
    for (const client of fresh) expect(await admittedOf(one, hitOf(client), 30)).toBe(30);

    let isOver = false;
    const during = { calls: 0, rejected: 0 };
    const calling = (async () => {
      for (let i = 0; !isOver; i++) {
        const verdict = await one.hit(hitOf(`during ${i % 400}`));
        during.calls++;
        if (!isAdmittedBy(verdict)) during.rejected++;
        await wait(5);
      }
    })();
    await fleet.killMaster();
    await Promise.all(stores.map(untilReady));
    isOver = true;
    await calling;
    expect(during.calls).toBeGreaterThan(20);
    expect(during.rejected).toBe(0);

    // The promoted replica has the counts: a used-up limit stays used up, and the rest of the others is exact.
    for (const client of clients) expect(await admittedOf(other, hitOf(client), 5), client).toBe(0);
    for (const client of fresh) expect(await admittedOf(other, hitOf(client), 40), client).toBe(30);
  });
});

it('stores all keys of a client in one slot of a cluster', async () => {
  const fleet = await startRedisCluster();
  onTestFinished(() => fleet.close());
  const store = createRedisHitStore({
    ...{ url: fleet.url, prefix: 'a{b', windowMs: 60_000, onFailure: 'closed', clock: monotonicNow, deadlineMs: 2_000 },
  });
  onTestFinished(() => store.close());
  await untilReady(store);
  for (let i = 0; i < 50; i++) expect(isAdmittedBy(await store.hit(hitOf(`client ${i}`)))).toBe(true);
});
