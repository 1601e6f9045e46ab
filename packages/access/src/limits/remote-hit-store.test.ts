import type { DependencyStatus } from '@rostergate/server/lifecycle';
import { Problem } from '@rostergate/server/problem';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeHitStore } from './hit-store.contract.ts';
import { type Hit, type HitStore, isAdmittedBy, type Verdict } from './hit-store.ts';
import { RemoteCountError, type RemoteCounter } from './remote-counter.ts';
import { createRemoteHitStore, type OnStoreFailure, type RemoteHitStoreOptions } from './remote-hit-store.ts';
import { createMemoryHitStore } from './sliding-window.ts';

const windowMs = 60_000;

/** A counter in memory behind a wire that only plain data passes, as between two processes. */
function createWiredCounter(clock: () => number) {
  const remote = createMemoryHitStore({ windowMs, clock });
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
    name: 'remote',
    async count(hits) {
      wire.batches.push(structuredClone(hits.map(({ keys, limits }) => ({ keys, limits }))));
      if (wire.fault !== undefined) throw wire.fault;
      if (wire.isSilent) await new Promise<void>((resolve) => waiting.push(resolve));
      if (wire.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, wire.delayMs));
      return structuredClone(await Promise.all(hits.map((hit) => remote.hit(hit))));
    },
    reset: () => void wire.resets++,
    close: async () => void wire.closes++,
  };
  const respond = () => {
    wire.isSilent = false;
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { counter, wire, remote, respond };
}

describeHitStore('createRemoteHitStore', {
  numRuns: 30,
  async open() {
    let nowMs = 1_700_000_000_000;
    const { counter } = createWiredCounter(() => nowMs);
    const store = createRemoteHitStore({ counter, windowMs, onFailure: 'closed', clock: () => nowMs });
    await store.opened();
    return {
      store,
      nowMs: () => nowMs,
      utcMs: () => nowMs,
      pass: async (ms) => {
        nowMs += ms;
      },
      close: () => store.close(),
    };
  },
});

describe('createRemoteHitStore', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = async (onFailure: OnStoreFailure = 'local', options: Partial<RemoteHitStoreOptions> = {}) => {
    const clock = () => Date.now();
    const wired = createWiredCounter(clock);
    const changes: DependencyStatus[] = [];
    const store = createRemoteHitStore({
      counter: wired.counter,
      windowMs,
      onFailure,
      clock,
      random: () => 0.5,
      onChange: (status) => changes.push(status),
      ...options,
    });
    await vi.advanceTimersByTimeAsync(1);
    wired.wire.batches.length = 0;
    return { ...wired, store, changes };
  };

  const hitOf = (key: string, limit = 60): Hit => ({ keys: [key], limits: [limit] });
  /** Returns the verdict or the problem, and the time it took. */
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
    return { ...(await settled), tookMs: settledMs - startedMs, isSync: !(found instanceof Promise) };
  };

  it('sends the first hit of a turn at once, and the others of that turn together', async () => {
    const { store, wire } = await start();
    const found = Promise.all([store.hit(hitOf('a')), store.hit(hitOf('b')), store.hit(hitOf('a'))]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await found).map((verdict) => verdict[0]?.used)).toEqual([1, 1, 2]);
    expect(wire.batches).toEqual([[hitOf('a')], [hitOf('b'), hitOf('a')]]);
  });

  it('sends many hits in batches of at most 100', async () => {
    const { store, wire } = await start();
    const found = Promise.all(Array.from({ length: 250 }, () => store.hit(hitOf('a', 1_000))));
    await vi.advanceTimersByTimeAsync(1);
    expect((await found).map((verdict) => verdict[0]?.used)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    expect(wire.batches.map(({ length }) => length)).toEqual([1, 100, 100, 49]);
  });

  it('waits up to 250 ms for a response while others arrive', async () => {
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

  it('is ready while responses arrive, and probes the counter now and then when idle', async () => {
    const { store, wire, changes } = await start();
    expect(store.status()).toEqual({ status: 'ready', store: 'remote' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(wire.batches.length).toBeGreaterThan(8);
    expect(wire.batches.length).toBeLessThan(25);
    expect(changes).toEqual([]);
  });

  it('decides locally within 50 ms without a response, and at once from then on', async () => {
    const { store, wire, changes } = await start();
    wire.isSilent = true;
    const first = await timed(store, hitOf('a'));
    expect(first.verdict).toEqual([{ isAdmitted: true, used: 1, resetMs: windowMs }]);
    expect(first.tookMs).toBeLessThan(50);
    expect(await timed(store, hitOf('a'))).toMatchObject({ isSync: true, verdict: [{ used: 2 }] });
    expect(changes).toMatchObject([{ status: 'degraded', reason: 'No response within 40 ms.' }]);
    expect(store.status()).toEqual({
      status: 'degraded',
      store: 'remote',
      reason: 'No response within 40 ms.',
      meanwhile: 'Each process counts its own requests.',
    });
  });

  it('decides all pending hits when one is late', async () => {
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

  it('detects that the counter is unavailable before the next request', async () => {
    const { store, wire } = await start();
    wire.isSilent = true;
    await vi.advanceTimersByTimeAsync(600);
    expect(store.status().status).toBe('degraded');
    expect((await timed(store, hitOf('a'))).isSync).toBe(true);
  });

  it('does not wait for a response after an error', async () => {
    const { store, wire } = await start();
    wire.fault = new RemoteCountError('It is broken.');
    expect((await timed(store, hitOf('a'))).tookMs).toBeLessThan(5);
    expect(store.status()).toMatchObject({ reason: 'It is broken.' });
  });

  it('never shows a foreign error message, which may hold a secret', async () => {
    const { store, wire } = await start();
    wire.fault = new Error('redis://:canary@host');
    await timed(store, hitOf('a'));
    expect(JSON.stringify(store.status())).not.toContain('canary');
  });

  it('continues from the last known counts, so that no client gets its limit twice', async () => {
    const { store, wire, remote } = await start();
    // Other processes have used 40 by now.
    for (let i = 0; i < 40; i++) remote.hit(hitOf('a'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ used: 41 }]);
    wire.fault = new RemoteCountError('unavailable');
    const verdicts: Verdict[] = [];
    for (let i = 0; i < 25; i++) verdicts.push((await timed(store, hitOf('a'))).verdict as Verdict);
    expect(verdicts.filter(([state]) => state?.isAdmitted)).toHaveLength(19);
    const resetMs = verdicts.at(-1)?.[0]?.resetMs as number;
    expect(resetMs).toBeGreaterThan(49_900);
    expect(resetMs).toBeLessThanOrEqual(50_000);
    // The hits known from the last response may have been simultaneous, so they expire together.
    await vi.advanceTimersByTimeAsync(resetMs);
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ isAdmitted: true, used: 20 }]);
  });

  it('continues a quota and a long window from the last known counts, hours after them', async () => {
    const { store, wire, remote } = await start();
    const hit: Hit = { client: 'a', keys: ['quota a', 'a'], limits: [50, 40], windows: ['month', 86_400_000] };
    for (let i = 0; i < 30; i++) await timed(store, hit);
    for (let hour = 0; hour < 6; hour++) {
      await timed(store, hitOf(`another at hour ${hour}`));
      await vi.advanceTimersByTimeAsync(3_600_000);
    }
    wire.fault = new Error('gone');
    let admitted = 0;
    for (let i = 0; i < 30; i++) {
      const { verdict = [] } = await timed(store, hit);
      if (isAdmittedBy(verdict)) admitted++;
    }
    expect(admitted).toBe(10);
    expect((await remote.hit(hit)).map(({ used }) => used)).toEqual([31, 31]);
  });

  it('rejects a client that the counter rejected, until its reset and no longer', async () => {
    const { store, wire } = await start();
    await timed(store, hitOf('a', 1));
    expect((await timed(store, hitOf('a', 1))).verdict).toMatchObject([{ isAdmitted: false }]);
    wire.fault = new RemoteCountError('unavailable');
    const { verdict } = await timed(store, hitOf('a', 1));
    expect(verdict).toMatchObject([{ isAdmitted: false, used: 1 }]);
    await vi.advanceTimersByTimeAsync(verdict?.[0]?.resetMs as number);
    expect((await timed(store, hitOf('a', 1))).verdict).toMatchObject([{ isAdmitted: true, used: 1 }]);
  });

  it('charges neither of two policies when one rejects, while it counts locally', async () => {
    const { store, wire } = await start();
    wire.fault = new RemoteCountError('unavailable');
    const both: Hit = { keys: ['owner', 'route'], limits: [5, 1] };
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

  it('admits every hit uncounted with the policy open', async () => {
    const { store, wire } = await start('open');
    wire.isSilent = true;
    expect((await timed(store, hitOf('a', 1))).verdict).toEqual([]);
    expect(await timed(store, hitOf('a', 1))).toMatchObject({ isSync: true, verdict: [] });
    expect(store.status()).toMatchObject({ status: 'degraded', meanwhile: 'Every request is admitted.' });
  });

  it('rejects every hit with 503 and Retry-After with the policy closed', async () => {
    const { store, wire } = await start('closed');
    wire.isSilent = true;
    const { problem, tookMs } = await timed(store, hitOf('a'));
    expect(tookMs).toBeLessThan(50);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
    await expect(store.hit(hitOf('a'))).rejects.toBeInstanceOf(Problem);
    expect(store.status()).toMatchObject({ status: 'unavailable', meanwhile: 'Every request is rejected.' });
  });

  it('returns to the counter when responses arrive in time again, and forgets local counts', async () => {
    const { store, wire, changes, respond } = await start();
    wire.isSilent = true;
    for (let i = 0; i < 3; i++) await timed(store, hitOf('a'));
    await vi.advanceTimersByTimeAsync(1_000);
    respond();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.status().status).toBe('ready');
    expect(changes.map(({ status }) => status)).toEqual(['degraded', 'ready']);
    // The first hit was pending when the responses stopped, and the counter counted it in the end.
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ used: 2 }]);
    wire.fault = new RemoteCountError('unavailable');
    expect((await timed(store, hitOf('a'))).verdict).toMatchObject([{ used: 3 }]);
  });

  it('does not return to a counter whose responses are late', async () => {
    const { store, wire } = await start();
    wire.delayMs = 100;
    await timed(store, hitOf('a'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(store.status()).toMatchObject({ status: 'degraded', reason: 'No response within 40 ms.' });
    expect((await timed(store, hitOf('a'))).isSync).toBe(true);
    wire.delayMs = 5;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.status().status).toBe('ready');
  });

  it('sends one probe at a time, apart from requests, and drops a connection without responses', async () => {
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

  it('tolerates a pause of its own process', async () => {
    const { store, wire } = await start();
    wire.delayMs = 45;
    const found = store.hit(hitOf('a'));
    await vi.advanceTimersByTimeAsync(1);
    // The process blocks: the clock goes on, and timers are late. The response has arrived, but is read after the
    // timers.
    vi.setSystemTime(Date.now() + 500);
    await vi.advanceTimersByTimeAsync(60);
    expect(await found).toMatchObject([{ used: 1 }]);
    expect(store.status().status).toBe('ready');
  });

  it('decides by its deadline when the process pauses repeatedly', async () => {
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

  it('opens without the counter, and reports it', async () => {
    const clock = () => Date.now();
    const { counter, wire } = createWiredCounter(clock);
    wire.isSilent = true;
    const store = createRemoteHitStore({ counter, windowMs, onFailure: 'local', clock });
    expect(store.status()).toMatchObject({ status: 'degraded', reason: 'No connection yet.' });
    let isOpened = false;
    void store.opened().then(() => {
      isOpened = true;
    });
    expect((await timed(store, hitOf('a'))).tookMs).toBeLessThan(50);
    await vi.advanceTimersByTimeAsync(500);
    expect(isOpened).toBe(true);
    expect(store.status().status).toBe('degraded');
  });

  it('waits for a slow first connection, and opens then', async () => {
    const clock = () => Date.now();
    const { counter, wire } = createWiredCounter(clock);
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

  it('stops all timers and probes when it is closed, and decides locally from then on', async () => {
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
