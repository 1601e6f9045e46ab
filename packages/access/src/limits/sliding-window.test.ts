import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeHitStore } from './hit-store.contract.ts';
import { createMemoryHitStore, SlidingWindow } from './sliding-window.ts';

const windowMs = 60_000;

function start(keysMax?: number) {
  const time = { ms: 1_000_000 };
  const window = new SlidingWindow({ windowMs, clock: () => time.ms, ...(keysMax === undefined ? {} : { keysMax }) });
  return { window, time };
}

describe('SlidingWindow', () => {
  it('admits at most the limit in every window, wherever it begins, and rejects only above it', () => {
    const gap = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 25_000, noNaN: true }), fc.constant(59_999.9));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(gap, { maxLength: 150 }), (limit, gaps) => {
        const { window, time } = start();
        const admitted: number[] = [];
        for (const ms of gaps) {
          time.ms += ms;
          const { isAdmitted } = window.hit('k', limit);
          const inWindow = admitted.filter((t) => t > time.ms - windowMs).length;
          if (isAdmitted) expect(inWindow).toBeLessThan(limit);
          // Recorded times are rounded up to whole milliseconds.
          else expect(admitted.filter((t) => t > time.ms - windowMs - 1).length).toBeGreaterThanOrEqual(limit);
          if (isAdmitted) admitted.push(time.ms);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('admits no second burst at the boundary of a minute', () => {
    const { window, time } = start();
    for (let i = 0; i < 60; i++) expect(window.hit('k', 60).isAdmitted).toBe(true);
    time.ms += windowMs - 1;
    expect(window.hit('k', 60).isAdmitted).toBe(false);
    time.ms += 1;
    expect(window.hit('k', 60).isAdmitted).toBe(true);
  });

  it('recovers at the returned time, however many hits it rejects meanwhile', () => {
    const { window, time } = start();
    for (let i = 0; i < 5; i++) {
      window.hit('k', 5);
      time.ms += 1_000;
    }
    const { resetMs } = window.hit('k', 5);
    expect(resetMs).toBe(55_000);
    const freeAtMs = time.ms + resetMs;
    while (time.ms < freeAtMs) {
      expect(window.hit('k', 5)).toEqual({ isAdmitted: false, used: 5, resetMs: freeAtMs - time.ms });
      time.ms += 500;
    }
    expect(window.hit('k', 5)).toMatchObject({ isAdmitted: true, used: 5 });
  });

  it('counts each key separately', () => {
    const { window } = start();
    window.hit('a', 1);
    expect(window.hit('a', 1).isAdmitted).toBe(false);
    expect(window.hit('b', 1).isAdmitted).toBe(true);
  });

  it('keeps the count when the limit changes', () => {
    const { window, time } = start();
    for (let i = 0; i < 4; i++) {
      window.hit('k', 4);
      time.ms += 1_000;
    }
    expect(window.hit('k', 5).isAdmitted).toBe(true);
    const lowered = window.hit('k', 2);
    expect(lowered.isAdmitted).toBe(false);
    time.ms += lowered.resetMs - 1;
    expect(window.hit('k', 2).isAdmitted).toBe(false);
    time.ms += 1;
    expect(window.hit('k', 2).isAdmitted).toBe(true);
  });

  it('admits nothing where the limit is 0', () => {
    const { window } = start();
    expect(window.hit('k', 0)).toEqual({ isAdmitted: false, used: 0, resetMs: windowMs });
  });

  it('frees nothing when the clock is set back', () => {
    const { window, time } = start();
    window.hit('k', 1);
    time.ms -= 3_600_000;
    expect(window.hit('k', 1)).toEqual({ isAdmitted: false, used: 1, resetMs: 3_600_000 + windowMs });
    time.ms += 3_600_000 + windowMs;
    expect(window.hit('k', 1).isAdmitted).toBe(true);
  });

  it('returns the state of a key without counting a hit', () => {
    const { window } = start();
    expect(window.peek('k', 2)).toBeUndefined();
    const { resetMs } = window.hit('k', 2);
    for (let i = 0; i < 3; i++) expect(window.peek('k', 2)).toEqual({ isAdmitted: true, used: 1, resetMs });
    window.hit('k', 2);
    expect(window.peek('k', 2)?.isAdmitted).toBe(false);
  });

  it('drops all hits and keys when it is cleared', () => {
    const { window } = start();
    window.hit('k', 1);
    window.clear();
    expect(window.size).toBe(0);
    expect(window.hit('k', 1).isAdmitted).toBe(true);
  });
});

describe('the memory of a SlidingWindow', () => {
  it('is bounded by the maximum number of keys', () => {
    const { window, time } = start(100);
    for (let i = 0; i < 5_000; i++) {
      time.ms += 1;
      window.hit(`key ${i}`, 60);
      expect(window.size).toBeLessThanOrEqual(100);
    }
  });

  it('drops idle keys as new ones arrive', () => {
    const { window, time } = start();
    for (let i = 0; i < 1_000; i++) window.hit(`old ${i}`, 60);
    time.ms += windowMs;
    for (let i = 0; i < 200; i++) window.hit(`new ${i}`, 60);
    expect(window.size).toBe(200);
  });

  it('never admits more than the limit for an evicted key', () => {
    const key = fc.integer({ min: 0, max: 30 }).map((n) => `key ${n}`);
    const hit = fc.tuple(key, fc.constantFrom(0, 1, 500, 20_000));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(hit, { maxLength: 300 }), (limit, hits) => {
        const { window, time } = start(4);
        const admitted = new Map<string, number[]>();
        for (const [name, ms] of hits) {
          time.ms += ms;
          const times = admitted.get(name) ?? [];
          if (!window.hit(name, limit).isAdmitted) continue;
          expect(times.filter((t) => t > time.ms - windowMs).length).toBeLessThan(limit);
          admitted.set(name, [...times, time.ms]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('loses no hit of a request with two keys, however few keys it may hold', () => {
    const key = fc.integer({ min: 0, max: 12 });
    const hit = fc.record({ owner: key, route: key, waitMs: fc.constantFrom(0, 1, 20_000, 60_000) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(hit, { maxLength: 200 }), (keysMax, hits) => {
        const { window, time } = start(keysMax);
        const admitted = new Map<string, number[]>();
        for (const { owner, route, waitMs } of hits) {
          time.ms += waitMs;
          const keys = [`owner ${owner}`, `route ${route}`];
          const limits = [3, 2];
          if (window.hitAll({ keys, limits }).some(({ isAdmitted }) => !isAdmitted)) continue;
          keys.forEach((name, i) => {
            const times = admitted.get(name) ?? [];
            expect(times.filter((t) => t > time.ms - windowMs).length).toBeLessThan(limits[i] as number);
            admitted.set(name, [...times, time.ms]);
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('admits an evicted key again after one window', () => {
    const { window, time } = start(1);
    window.hit('a', 1);
    window.hit('b', 1);
    expect(window.hit('a', 1).isAdmitted).toBe(false);
    time.ms += windowMs;
    expect(window.hit('a', 1).isAdmitted).toBe(true);
  });
});

describeHitStore('a store in memory', {
  numRuns: 300,
  async open() {
    let nowMs = 1_700_000_000_000;
    const store = createMemoryHitStore({ windowMs: 60_000, clock: () => nowMs });
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
