import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorkerNetwork, type WorkerNetwork } from '../../test/worker-network.ts';
import { describeHitStore } from '../limits/hit-store.contract.ts';
import { createMemoryHitStore, type HitStore, isAdmittedBy, type Verdict } from '../limits/index.ts';
import { Problem } from '../problem/index.ts';

const windowMs = 60_000;

describeHitStore('a store in the parent', {
  numRuns: 60,
  async open() {
    const network = createWorkerNetwork({ windowMs, workers: 1 });
    const [worker] = network.workers;
    const { store } = worker as NonNullable<typeof worker>;
    return {
      store: {
        ...store,
        hit(hit) {
          const verdict = store.hit(hit);
          if (verdict instanceof Promise) void network.deliverAll();
          return verdict;
        },
      },
      nowMs: network.nowMs,
      async pass(ms) {
        await network.pass(ms);
        await network.deliverAll();
      },
      close: store.close,
    };
  },
});

/** Hits one key so often by one worker, all in one turn of its event loop. */
function burst(network: WorkerNetwork, worker: number, count: number, limit: number): Promise<Verdict[]> {
  const hit = { keys: ['owner:a'], limits: [limit] };
  return Promise.all(Array.from({ length: count }, async () => network.workers[worker]?.hit(hit) as Verdict));
}

async function answered<T>(network: WorkerNetwork, asked: Promise<T>): Promise<T> {
  await network.deliverAll();
  return asked;
}

describe('counting in the parent', () => {
  it('admits exactly the limit among all workers', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 4 });
    const asked = Array.from({ length: 1_000 }, (_, i) => burst(network, i % 4, 1, 60));
    const verdicts = (await answered(network, Promise.all(asked))).flat();
    expect(verdicts.filter(isAdmittedBy).length).toBe(60);
  });

  it('sends the hits of one turn together', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 1 });
    await answered(network, burst(network, 0, 3, 60));
    expect(network.sent()).toBe(2);
  });

  it('passes on that nobody counts, and why a hit may not pass', async () => {
    const store: HitStore = {
      ...createMemoryHitStore({ windowMs, clock: () => 0 }),
      hit: ({ keys }) => {
        if (keys[0] === 'open') return [];
        throw new Problem('unavailable', 'Later.', { headers: { 'Retry-After': '1' } });
      },
    };
    const network = createWorkerNetwork({ windowMs, workers: 1, store });
    const [open, closed] = ['open', 'closed'].map((key) => network.workers[0]?.hit({ keys: [key], limits: [1] }));
    void network.deliverAll();
    expect(await open).toEqual([]);
    await expect(closed).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
  });
});

describe('room that is lent', () => {
  it('is filled without a message, with true counts, and given back with what it was used for', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    await answered(network, burst(network, 0, 20, 1_000));
    const sent = network.sent();
    await network.pass(10);
    const [last] = (await burst(network, 0, 20, 1_000)).at(-1) as Verdict;
    expect(last).toMatchObject({ isAdmitted: true, used: 40 });
    expect(last?.resetMs).toBeCloseTo(windowMs - 10, -1);
    expect(network.sent()).toBe(sent);
    await network.pass(100);
    expect((await answered(network, burst(network, 1, 1, 1_000)))[0]).toMatchObject([{ used: 41 }]);
  });

  it('is not lent to who asks seldom, nor where little is left', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    for (let i = 0; i < 50; i++) {
      await answered(network, burst(network, 0, 1, 1_000));
      await network.pass(20);
    }
    await answered(network, burst(network, 1, 20, 170));
    const sent = network.sent();
    await answered(network, burst(network, 0, 1, 1_000));
    await answered(network, burst(network, 1, 1, 170));
    expect(network.sent()).toBe(sent + 4);
  });

  it('is given back as soon as its time is over, whenever it was lent', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 1 });
    const hit = async (key: string) => network.workers[0]?.hit({ keys: [key], limits: [1_000] });
    const lend = (key: string) => answered(network, Promise.all(Array.from({ length: 20 }, () => hit(key))));
    for (let i = 0; i < 40; i++) {
      await answered(network, hit('a'));
      await network.pass(1);
    }
    await network.pass(windowMs - 45);
    await lend('b');
    // It lives for 37 ms: later hits leave than are told of.
    await lend('a');
    await network.pass(20);
    await lend('c');
    const sent = network.sent();
    const givenBack = async (passMs: number) => {
      await network.pass(passMs);
      return network.sent() - sent;
    };
    expect(await givenBack(16)).toBe(0);
    expect(await givenBack(2)).toBe(1);
    expect(await givenBack(61)).toBe(1);
    expect(await givenBack(2)).toBe(2);
    expect(await givenBack(18)).toBe(2);
    expect(await givenBack(2)).toBe(3);
  });

  it('is kept by a worker that asks for another key of a hit, and lent of that key beside it', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    const hit = (route: string) =>
      network.workers[0]?.hit({ keys: ['owner:a', route], limits: [1_000, 1_000] }) as Promise<Verdict>;
    const hits = (route: string) => answered(network, Promise.all(Array.from({ length: 20 }, () => hit(route))));
    await hits('one');
    await answered(network, hit('two'));
    expect(hit('one')).not.toBeInstanceOf(Promise);
    await hits('two');
    expect(hit('two')).not.toBeInstanceOf(Promise);
    expect(hit('one')).not.toBeInstanceOf(Promise);
  });

  it('is called back before anybody is refused', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    await answered(network, burst(network, 0, 20, 600));
    const verdicts = await answered(network, burst(network, 1, 600, 600));
    expect(verdicts.filter(isAdmittedBy)).toHaveLength(580);
    expect(verdicts.at(-1)).toMatchObject([{ isAdmitted: false, used: 600 }]);
  });

  it('is waited for only so long when a worker is frozen, and counts as used as long as a window', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    await answered(network, burst(network, 0, 20, 600));
    const asked = burst(network, 1, 600, 600);
    await network.deliver(1, 'up');
    await network.deliver(1, 'down');
    await network.pass(250);
    await network.deliver(1, 'down');
    const refused = (await asked).filter((verdict) => !isAdmittedBy(verdict));
    expect(refused).toHaveLength(40);
    expect(refused[0]).toMatchObject([{ used: 600, resetMs: expect.closeTo(windowMs - 250, -1) }]);
    await network.pass(windowMs);
    network.workers[0]?.kill();
    const later = await answered(network, burst(network, 1, 600, 600));
    expect(later.filter(isAdmittedBy)).toHaveLength(600);
  });

  it('lets nobody wait for it but those who would be refused', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    await answered(network, burst(network, 0, 20, 600));
    const asked = burst(network, 1, 600, 600);
    const other = network.workers[1]?.hit({ keys: ['owner:b'], limits: [600] });
    const decided: unknown[] = [];
    void asked.then(() => decided.push('refused'));
    void Promise.resolve(other).then((verdict) => decided.push(verdict));
    await network.deliver(1, 'up');
    await network.deliver(1, 'down');
    expect(decided).toMatchObject([[{ isAdmitted: true, used: 1 }]]);
    await network.pass(250);
    await network.deliver(1, 'down');
    expect(decided).toHaveLength(2);
  });

  it('counts as used when its worker dies', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    await answered(network, burst(network, 0, 20, 600));
    network.workers[0]?.kill();
    const verdicts = await answered(network, burst(network, 1, 600, 600));
    expect(verdicts.filter(isAdmittedBy)).toHaveLength(560);
    await network.pass(windowMs + 1);
    expect((await answered(network, burst(network, 1, 600, 600))).filter(isAdmittedBy)).toHaveLength(600);
  });

  it('is not lent to a worker that dies while a hit of it waits for what others have', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    await answered(network, burst(network, 0, 1_000, 100_000));
    burst(network, 1, 1, 1_900).catch(() => {});
    await network.deliver(1, 'up');
    network.workers[1]?.kill();
    await network.deliverAll();
    expect((await answered(network, burst(network, 0, 1, 100_000)))[0]).toMatchObject([{ used: 1_002 }]);
  });

  it('admits nothing under another limit than it was cut from', async () => {
    const network = createWorkerNetwork({ windowMs, workers: 2 });
    await answered(network, burst(network, 0, 20, 1_000));
    expect((await answered(network, burst(network, 0, 1, 20)))[0]).toMatchObject([{ isAdmitted: false, used: 20 }]);
  });
});

const names = ['owner', 'route', 'other'];
const hits = fc.record({
  by: fc.nat(2),
  // Enough for a lease, and now and then enough for all there is.
  count: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 40 }), weight: 6 },
    { arbitrary: fc.constant(900), weight: 1 },
  ),
  keys: fc.constantFrom([0], [0], [0, 1], [2]),
});
const pass = fc.record({ passMs: fc.constantFrom(0.4, 3, 20, 99.7, 100, 250, 9_000, 30_000, windowMs) });
const deliver = fc.record({ to: fc.nat(2), way: fc.constantFrom('up' as const, 'down' as const) });
const limitsOf = fc.tuple(fc.integer({ min: 300, max: 900 }), fc.integer({ min: 300, max: 600 }), fc.constant(60));

/** What callers have seen: between which times each admitted hit was decided, and refused ones. */
class Seen {
  readonly admitted: (readonly [fromMs: number, toMs: number])[][] = names.map(() => []);
  /** Once for all that were refused together. */
  readonly refused = new Map<string, { readonly key: number; readonly fromMs: number; readonly toMs: number }>();
  local = 0;

  hit(network: WorkerNetwork, limits: readonly number[], by: number, keys: readonly number[]): void {
    const fromMs = network.nowMs();
    const asked = { keys: keys.map((k) => names[k] as string), limits: keys.map((k) => limits[k] as number) };
    const verdict = network.workers[by]?.hit(asked);
    const take = (found: Verdict) => {
      const toMs = network.nowMs();
      if (isAdmittedBy(found)) for (const k of keys) this.admitted[k]?.push([fromMs, toMs]);
      else {
        for (const key of keys.filter((_, i) => found[i]?.isAdmitted === false)) {
          this.refused.set(`${key} ${fromMs} ${toMs}`, { key, fromMs, toMs });
        }
      }
    };
    if (verdict instanceof Promise) verdict.then(take, () => {});
    else {
      this.local++;
      take(verdict as Verdict);
    }
  }

  /** The most hits that were for certain decided within one window. */
  mostInWindow(key: number): number {
    const all = this.admitted[key] ?? [];
    const ends = [...new Set(all.map(([, toMs]) => toMs))];
    return Math.max(0, ...ends.map((end) => all.filter(([from, to]) => from > end - windowMs && to <= end).length));
  }
}

describe('several workers', () => {
  it('hold no more than the limit in any window, however late words are and whoever dies', async () => {
    let local = 0;
    const kill = fc.record({ kill: fc.nat(2) });
    const step = fc.oneof(
      { arbitrary: hits, weight: 6 },
      { arbitrary: deliver, weight: 6 },
      { arbitrary: fc.constant('all' as const), weight: 4 },
      { arbitrary: pass, weight: 3 },
      { arbitrary: kill, weight: 1 },
    );
    await fc.assert(
      fc.asyncProperty(limitsOf, fc.array(step, { maxLength: 60, size: 'max' }), async (limits, steps) => {
        const network = createWorkerNetwork({ windowMs, workers: 3 });
        const seen = new Seen();
        const dead = new Set<number>();
        for (const one of steps) {
          if (one === 'all') await network.deliverAll();
          else if ('by' in one) {
            for (let n = 0; n < one.count && !dead.has(one.by); n++) seen.hit(network, limits, one.by, one.keys);
          } else if ('way' in one) await network.deliver(one.to, one.way);
          else if ('kill' in one) {
            dead.add(one.kill);
            network.workers[one.kill]?.kill();
          } else await network.pass(one.passMs);
        }
        await network.deliverAll();
        names.forEach((_, k) => {
          expect(seen.mostInWindow(k)).toBeLessThanOrEqual(limits[k] as number);
        });
        local += seen.local;
      }),
      { numRuns: 150 },
    );
    expect(local).toBeGreaterThan(100);
  });

  it('refuse nobody while there is room with one of them', async () => {
    let [local, refused] = [0, 0];
    const step = fc.oneof(
      { arbitrary: hits, weight: 6 },
      { arbitrary: deliver, weight: 6 },
      { arbitrary: pass, weight: 2 },
    );
    await fc.assert(
      fc.asyncProperty(limitsOf, fc.array(step, { maxLength: 60, size: 'max' }), async (limits, steps) => {
        const network = createWorkerNetwork({ windowMs, workers: 3 });
        const seen = new Seen();
        for (const one of steps) {
          if ('by' in one) for (let n = 0; n < one.count; n++) seen.hit(network, limits, one.by, one.keys);
          else if ('way' in one) await network.deliver(one.to, one.way);
          else {
            await network.deliverAll();
            await network.pass(one.passMs);
            await network.deliverAll();
          }
        }
        await network.deliverAll();
        for (const { key, fromMs, toMs } of seen.refused.values()) {
          // A time is recorded in whole milliseconds, rounded up.
          const possible = seen.admitted[key]?.filter(([from, to]) => from <= toMs && fromMs - to < windowMs + 3);
          expect(possible?.length).toBeGreaterThanOrEqual(limits[key] as number);
        }
        local += seen.local;
        refused += seen.refused.size;
      }),
      { numRuns: 150 },
    );
    expect(local).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(10);
  });
});
