import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DependencyStatus } from '../lifecycle/index.ts';
import { Problem } from '../problem/index.ts';
import { describeHitStore } from './hit-store.contract.ts';
import type { Hit, HitStore, Verdict } from './hit-store.ts';
import { createMemoryHitStore } from './memory-hit-store.ts';
import { RemoteCountError, type RemoteCounter } from './remote-counter.ts';
import { createRemoteHitStore, type OnStoreFailure, type RemoteHitStoreOptions } from './remote-hit-store.ts';

const windowMs = 60_000;

/** Counts in memory beyond a wire that only plain data passes, as between two processes. */
function createCounterElsewhere(clock: () => number) {
  const elsewhere = createMemoryHitStore({ windowMs, clock });
  const wire = {
    delayMs: 0,
    isSilent: false,
    fault: undefined as Error | undefined,
    batches: [] as (readonly Hit[])[],
    resets: 0,
    closes: 0,
  };
  const waiting: (() => void)[] = [];
  const counter: RemoteCounter = {
    name: 'elsewhere',
    async count(hits) {
      wire.batches.push(structuredClone(hits.map(({ keys, limits }) => ({ keys, limits }))));
      if (wire.fault !== undefined) throw wire.fault;
      if (wire.isSilent) await new Promise<void>((resolve) => waiting.push(resolve));
      if (wire.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, wire.delayMs));
      return structuredClone(await Promise.all(hits.map((hit) => elsewhere.hit(hit))));
    },
    reset: () => void wire.resets++,
    close: async () => void wire.closes++,
  };
  const speak = () => {
    wire.isSilent = false;
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { counter, wire, elsewhere, speak };
}

describeHitStore('a store in another process', {
  numRuns: 30,
  async open() {
    let nowMs = 1_700_000_000_000;
    const { counter } = createCounterElsewhere(() => nowMs);
    const store = createRemoteHitStore({ counter, windowMs, onFailure: 'closed', clock: () => nowMs });
    await store.opened();
    return {
      store,
      nowMs: () => nowMs,
      pass: async (ms) => {
        nowMs += ms;
      },
      close: () => store.close(),
    };
  },
});

describe('a store that is elsewhere', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = async (onFailure: OnStoreFailure = 'local', options: Partial<RemoteHitStoreOptions> = {}) => {
    const clock = () => Date.now();
    const beyond = createCounterElsewhere(clock);
    const changes: DependencyStatus[] = [];
    const store = createRemoteHitStore({
      counter: beyond.counter,
      windowMs,
      onFailure,
      clock,
      random: () => 0.5,
      onChange: (status) => changes.push(status),
      ...options,
    });
    await vi.advanceTimersByTimeAsync(1);
    beyond.wire.batches.length = 0;
    return { ...beyond, store, changes };
  };

  const hitOf = (key: string, limit = 60): Hit => ({ keys: [key], limits: [limit] });
  /** A verdict, and how long it took. */
  const timed = async (store: HitStore, hit: Hit) => {
    const startedMs = Date.now();
    const found = store.hit(hit);
    let settledMs: number | undefined;
    const settled: Promise<{ verdict?: Verdict; problem?: unknown }> = Promise.resolve(found).then(
      (verdict) => {
        settledMs = Date.now();
        return { verdict };
      },
      (problem: unknown) => {
        settledMs = Date.now();
        return { problem };
      },
    );
    while (settledMs === undefined) await vi.advanceTimersByTimeAsync(1);
    return { ...(await settled), tookMs: settledMs - startedMs, isAtOnce: !(found instanceof Promise) };
  };

  it('sends the first hit of a turn at once, and all others of that turn together', async () => {
    const { store, wire } = await start();
    const found = Promise.all([store.hit(hitOf('a')), store.hit(hitOf('b')), store.hit(hitOf('a'))]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await found).map((verdict) => verdict[0]?.used)).toEqual([1, 1, 2]);
    expect(wire.batches).toEqual([[hitOf('a')], [hitOf('b'), hitOf('a')]]);
  });

  it('sends many in several batches, none of them long', async () => {
    const { store, wire } = await start();
    const found = Promise.all(Array.from({ length: 250 }, () => store.hit(hitOf('a', 1_000))));
    await vi.advanceTimersByTimeAsync(1);
    expect((await found).map((verdict) => verdict[0]?.used)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    expect(wire.batches.map(({ length }) => length)).toEqual([1, 100, 100, 49]);
  });

  it('waits a little longer while other answers come, and no longer than 250 ms', async () => {
    const { store, wire } = await start();
    const waits = [];
    for (const delayMs of [30, 60, 90, 120]) {
      wire.delayMs = delayMs;
      waits.push(timed(store, hitOf('a')));
      await vi.advanceTimersByTimeAsync(1);
    }
    expect((await Promise.all(waits)).map(({ verdict }) => verdict?.[0]?.used)).toEqual([1, 2, 3, 4]);
    expect(store.status().status).toBe('ready');
    wire.delayMs = 1_000;
    const stuck = timed(store, hitOf('a'));
    await vi.advanceTimersByTimeAsync(1);
    for (let i = 0; i < 30; i++) {
      wire.delayMs = 5;
      void store.hit(hitOf('b'));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect((await stuck).tookMs).toBeLessThan(300);
    expect((await stuck).tookMs).toBeGreaterThan(250);
  });

  it('is ready as long as answers come, and asks for one now and then where there is nothing to do', async () => {
    const { store, wire, changes } = await start();
    expect(store.status()).toEqual({ status: 'ready', store: 'elsewhere' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(wire.batches.length).toBeGreaterThan(8);
    expect(wire.batches.length).toBeLessThan(25);
    expect(changes).toEqual([]);
  });

  it('decides by itself within 50 ms when no answer comes, and at once from then on', async () => {
    const { store, wire, changes } = await start();
    wire.isSilent = true;
    const first = await timed(store, hitOf('a'));
    expect(first.verdict).toEqual([{ isAdmitted: true, used: 1, resetMs: windowMs }]);
    expect(first.tookMs).toBeLessThan(50);
    expect(await timed(store, hitOf('a'))).toMatchObject({ isAtOnce: true, verdict: [{ used: 2 }] });
    expect(changes).toMatchObject([{ status: 'degraded', reason: 'No answer within 40 ms.' }]);
    expect(store.status()).toEqual({
      status: 'degraded',
      store: 'elsewhere',
      reason: 'No answer within 40 ms.',
      meanwhile: 'Each process counts for itself.',
    });
  });

  it('decides all that waits when one is late', async () => {
    const { store, wire } = await start();
    wire.isSilent = true;
    const early = store.hit(hitOf('a'));
    await vi.advanceTimersByTimeAsync(30);
    const late = timed(store, hitOf('a'));
    expect(await early).toMatchObject([{ used: 1 }]);
    const { tookMs, verdict } = await late;
    expect(verdict).toMatchObject([{ used: 2 }]);
    expect(tookMs).toBeLessThan(20);
  });

  it('finds out that the place is away before anyone asks', async () => {
    const { store, wire } = await start();
    wire.isSilent = true;
    await vi.advanceTimersByTimeAsync(600);
    expect(store.status().status).toBe('degraded');
    expect((await timed(store, hitOf('a'))).isAtOnce).toBe(true);
  });

  it('waits for no answer that cannot come', async () => {
    const { store, wire } = await start();
    wire.fault = new RemoteCountError('It is broken.');
    expect((await timed(store, hitOf('a'))).tookMs).toBeLessThan(5);
    expect(store.status()).toMatchObject({ reason: 'It is broken.' });
  });

  it('tells nothing of an error whose words may hold a secret', async () => {
    const { store, wire } = await start();
    wire.fault = new Error('redis://:canary@host');
    await timed(store, hitOf('a'));
    expect(JSON.stringify(store.status())).not.toContain('canary');
  });

  it('goes on from what is known, so that nobody gets a second limit', async () => {
    const { store, wire, elsewhere } = await start();
    // Other processes have used 40 by now.
    for (let i = 0; i < 40; i++) elsewhere.hit(hitOf('a'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ used: 41 }]);
    wire.fault = new RemoteCountError('away');
    const verdicts: Verdict[] = [];
    for (let i = 0; i < 25; i++) verdicts.push((await timed(store, hitOf('a'))).verdict as Verdict);
    expect(verdicts.filter(([state]) => state?.isAdmitted)).toHaveLength(19);
    const resetMs = verdicts.at(-1)?.[0]?.resetMs as number;
    expect(resetMs).toBeGreaterThan(49_900);
    expect(resetMs).toBeLessThanOrEqual(50_000);
    // What was used when it was last heard of may all have been used at once, and is free again at once.
    await vi.advanceTimersByTimeAsync(resetMs);
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ isAdmitted: true, used: 20 }]);
  });

  it('refuses who was refused, until then and no longer', async () => {
    const { store, wire } = await start();
    await timed(store, hitOf('a', 1));
    expect((await timed(store, hitOf('a', 1))).verdict).toMatchObject([{ isAdmitted: false }]);
    wire.fault = new RemoteCountError('away');
    const { verdict } = await timed(store, hitOf('a', 1));
    expect(verdict).toMatchObject([{ isAdmitted: false, used: 1 }]);
    await vi.advanceTimersByTimeAsync(verdict?.[0]?.resetMs as number);
    expect((await timed(store, hitOf('a', 1))).verdict).toMatchObject([{ isAdmitted: true, used: 1 }]);
  });

  it('charges none of two policies when one refuses, while it counts by itself', async () => {
    const { store, wire } = await start();
    wire.fault = new RemoteCountError('away');
    const both: Hit = { keys: ['who', 'route'], limits: [5, 1] };
    const verdicts: Verdict[] = [];
    for (let i = 0; i < 3; i++) verdicts.push((await timed(store, both)).verdict as Verdict);
    expect(verdicts).toMatchObject([
      [{ used: 1 }, { used: 1 }],
      [
        { isAdmitted: true, used: 1 },
        { isAdmitted: false, used: 1 },
      ],
      [
        { isAdmitted: true, used: 1 },
        { isAdmitted: false, used: 1 },
      ],
    ]);
  });

  it('lets every hit pass and says nothing of it, when told to', async () => {
    const { store, wire } = await start('open');
    wire.isSilent = true;
    expect((await timed(store, hitOf('a', 1))).verdict).toEqual([]);
    expect(await timed(store, hitOf('a', 1))).toMatchObject({ isAtOnce: true, verdict: [] });
    expect(store.status()).toMatchObject({ status: 'degraded', meanwhile: 'Every request passes.' });
  });

  it('refuses every hit with 503 and the time to try again, when told to', async () => {
    const { store, wire } = await start('closed');
    wire.isSilent = true;
    const { problem, tookMs } = await timed(store, hitOf('a'));
    expect(tookMs).toBeLessThan(50);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
    await expect(store.hit(hitOf('a'))).rejects.toBeInstanceOf(Problem);
    expect(store.status()).toMatchObject({ status: 'unavailable', meanwhile: 'Every request is refused.' });
  });

  it('goes back by itself when answers come in time again, and forgets what it counted meanwhile', async () => {
    const { store, wire, changes, speak } = await start();
    wire.isSilent = true;
    for (let i = 0; i < 3; i++) await timed(store, hitOf('a'));
    await vi.advanceTimersByTimeAsync(1_000);
    speak();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.status().status).toBe('ready');
    expect(changes.map(({ status }) => status)).toEqual(['degraded', 'ready']);
    // The first was under way when it fell silent, and was counted there after all.
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ used: 2 }]);
    wire.fault = new RemoteCountError('away');
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ used: 3 }]);
  });

  it('does not go back to answers that come too late', async () => {
    const { store, wire } = await start();
    wire.delayMs = 100;
    await timed(store, hitOf('a'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(store.status()).toMatchObject({ status: 'degraded', reason: 'No answer within 40 ms.' });
    expect((await timed(store, hitOf('a'))).isAtOnce).toBe(true);
    wire.delayMs = 5;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.status().status).toBe('ready');
  });

  it('tries one at a time, apart from the requests, and gives up a connection that stays silent', async () => {
    const { store, wire } = await start();
    wire.isSilent = true;
    await timed(store, hitOf('a'));
    wire.batches.length = 0;
    for (let i = 0; i < 1_000; i++) store.hit(hitOf('a'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(wire.batches.length).toBeLessThan(35);
    expect(wire.batches.every((batch) => batch.length === 1)).toBe(true);
    expect(wire.resets).toBeGreaterThan(20);
  });

  it('takes a stall of its own process for no silence of the other', async () => {
    const { store, wire } = await start();
    wire.delayMs = 45;
    const found = store.hit(hitOf('a'));
    await vi.advanceTimersByTimeAsync(1);
    // The process does something else for a while: the clock goes on, and its timers are late. The answer is there
    // already, but looked at only after the timers.
    vi.setSystemTime(Date.now() + 500);
    await vi.advanceTimersByTimeAsync(60);
    expect(await found).toMatchObject([{ used: 1 }]);
    expect(store.status().status).toBe('ready');
  });

  it('decides by its deadline when the process pauses again and again', async () => {
    const { store, wire } = await start();
    wire.isSilent = true;
    const found = store.hit(hitOf('a'));
    await vi.advanceTimersByTimeAsync(1);
    for (let pause = 0; pause < 2; pause++) {
      vi.setSystemTime(Date.now() + 500);
      await vi.advanceTimersByTimeAsync(41);
    }
    expect(await found).toMatchObject([{ used: 1 }]);
    expect(store.status().status).toBe('degraded');
  });

  it('starts without the other, and says so', async () => {
    const clock = () => Date.now();
    const { counter, wire } = createCounterElsewhere(clock);
    wire.isSilent = true;
    const store = createRemoteHitStore({ counter, windowMs, onFailure: 'local', clock });
    expect(store.status()).toMatchObject({ status: 'degraded', reason: 'Not reached yet.' });
    let isOpened = false;
    void store.opened().then(() => {
      isOpened = true;
    });
    expect((await timed(store, hitOf('a'))).tookMs).toBeLessThan(50);
    await vi.advanceTimersByTimeAsync(500);
    expect(isOpened).toBe(true);
    expect(store.status().status).toBe('degraded');
  });

  it('waits for a connection that is slow to begin with, and is opened then', async () => {
    const clock = () => Date.now();
    const { counter, wire } = createCounterElsewhere(clock);
    wire.delayMs = 120;
    const changes: DependencyStatus[] = [];
    const store = createRemoteHitStore({
      counter,
      windowMs,
      onFailure: 'local',
      clock,
      onChange: (s) => changes.push(s),
    });
    setTimeout(() => {
      wire.delayMs = 1;
    }, 60);
    let openedMs = 0;
    void store.opened().then(() => {
      openedMs = Date.now();
    });
    const startedMs = Date.now();
    await vi.advanceTimersByTimeAsync(300);
    expect(openedMs - startedMs).toBeLessThan(150);
    expect(store.status().status).toBe('ready');
    expect(changes).toEqual([]);
  });

  it('lets go of everything when it is closed, and decides by itself from then on', async () => {
    const { store, wire, changes } = await start();
    const waiting = store.hit(hitOf('a'));
    await store.close();
    expect(await waiting).toMatchObject([{ used: 1 }]);
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ used: 2 }]);
    wire.batches.length = 0;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(wire).toMatchObject({ batches: [], closes: 1 });
    expect(vi.getTimerCount()).toBe(0);
    expect(changes).toEqual([]);
  });
});
