import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Hit, type HitState, type HitStore, type HitWindow, isAdmittedBy } from './hit-store.ts';

/** A store and control over its clock. */
export interface HitStoreHarness {
  readonly store: HitStore;
  /** Returns milliseconds by the clock of the store. */
  nowMs(): number;
  /** Returns the time by which the store ends periods of the calendar. */
  utcMs(): number;
  /** Lets time pass for all recorded hits. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface HitStoreSuite {
  open(): Promise<HitStoreHarness>;
  /** Cases for each property. */
  readonly numRuns: number;
}

/** The guarantees of every hit store. */
export function describeHitStore(name: string, { open, numRuns }: HitStoreSuite): void {
  describe(name, () => {
    let harness: HitStoreHarness;
    let runs = 0;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());
    beforeEach(() => {
      startedMs = performance.now();
    });

    /** Returns keys that no other test uses. */
    const fresh = (...names: string[]) => {
      runs++;
      return names.map((each) => `${each} ${runs}`);
    };
    const hit = async (keys: readonly string[], ...limits: number[]) => harness.store.hit({ keys, limits });
    const stateOf = async (keys: readonly string[], limit: number) => (await hit(keys, limit))[0] as HitState;

    it('admits as many hits as the limit, returns how many are used, and rejects the next', async () => {
      const { windowMs } = harness.store;
      const key = fresh('k');
      expect(await hit(key, 3)).toEqual([{ isAdmitted: true, used: 1, resetMs: about(windowMs) }]);
      await harness.pass(1_000);
      expect(await stateOf(key, 3)).toEqual({ isAdmitted: true, used: 2, resetMs: about(windowMs - 1_000) });
      expect(await stateOf(key, 3)).toEqual({ isAdmitted: true, used: 3, resetMs: about(windowMs - 1_000) });
      expect(await stateOf(key, 3)).toEqual({ isAdmitted: false, used: 3, resetMs: about(windowMs - 1_000) });
    });

    it('admits no more than the limit in any window of any key, and rejects only above it', async () => {
      const step = fc.record({
        waitMs: fc.constantFrom(0, 0, 0, 700, 9_000, 20_000, harness.store.windowMs),
        keys: fc.constantFrom([0], [1], [0, 1], [1, 2], [2]),
      });
      const limits = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), fc.constant(2));
      await fc.assert(
        fc.asyncProperty(limits, fc.array(step, { maxLength: 50 }), async (limitOf, steps) => {
          const names = fresh('a', 'b', 'c');
          const model = names.map(() => new AdmittedHits());
          for (const { waitMs, keys } of steps) {
            if (waitMs > 0) await harness.pass(waitMs);
            const wanted: Hit = {
              keys: keys.map((k) => names[k] as string),
              limits: keys.map((k) => limitOf[k] as number),
            };
            const beforeMs = harness.nowMs();
            const verdict = await harness.store.hit(wanted);
            const afterMs = harness.nowMs();
            expect(verdict).toHaveLength(keys.length);
            const isAdmitted = isAdmittedBy(verdict);
            keys.forEach((k, i) => {
              const hits = model[k] as AdmittedHits;
              const state = verdict[i] as HitState;
              const limit = limitOf[k] as number;
              if (!state.isAdmitted)
                expect(hits.countMax(beforeMs, harness.store.windowMs)).toBeGreaterThanOrEqual(limit);
              if (isAdmitted) hits.add(beforeMs, afterMs);
              expect(hits.countMin(afterMs, harness.store.windowMs)).toBeLessThanOrEqual(limit);
              expect(state.used).toBeGreaterThanOrEqual(hits.countMin(afterMs, harness.store.windowMs));
              expect(state.used).toBeLessThanOrEqual(hits.countMax(beforeMs, harness.store.windowMs));
            });
          }
        }),
        { numRuns },
      );
    });

    it('charges neither of two policies when one rejects', async () => {
      const [who, route] = fresh('who', 'route') as [string, string];
      await hit([who, route], 5, 1);
      for (let i = 0; i < 10; i++) {
        const [first, second] = await hit([who, route], 5, 1);
        expect(first).toMatchObject({ isAdmitted: true, used: 1 });
        expect(second).toMatchObject({ isAdmitted: false, used: 1 });
      }
      expect(await stateOf([who], 5)).toMatchObject({ isAdmitted: true, used: 2 });
      const [other] = fresh('other route') as [string];
      for (let i = 0; i < 3; i++) await hit([who], 5);
      expect(await hit([who, other], 5, 1)).toMatchObject([
        { isAdmitted: false, used: 5 },
        { isAdmitted: true, used: 0, resetMs: 0 },
      ]);
      expect(await stateOf([other], 1)).toMatchObject({ isAdmitted: true, used: 1 });
    });

    it('admits again at the returned time, however many hits it rejects meanwhile', async () => {
      const { windowMs } = harness.store;
      const key = fresh('k');
      for (let i = 0; i < 5; i++) {
        await hit(key, 5);
        await harness.pass(5_000);
      }
      const { isAdmitted, resetMs } = await stateOf(key, 5);
      expect([isAdmitted, resetMs]).toEqual([false, about(windowMs - 25_000)]);
      const freeAtMs = harness.nowMs() + resetMs;
      while (harness.nowMs() + 4_000 < freeAtMs) {
        expect((await stateOf(key, 5)).isAdmitted).toBe(false);
        await harness.pass(3_000);
      }
      await harness.pass(Math.max(0, freeAtMs - harness.nowMs()));
      expect(await stateOf(key, 5)).toMatchObject({ isAdmitted: true, used: 5 });
    });

    it('admits no second burst at the boundary of a window', async () => {
      const { windowMs } = harness.store;
      const key = fresh('k');
      const burst = async () =>
        (await Promise.all(Array.from({ length: 70 }, () => hit(key, 60)))).filter(isAdmittedBy);
      expect(await burst()).toHaveLength(60);
      await harness.pass(windowMs - 5_000);
      expect(await burst()).toHaveLength(0);
      await harness.pass(5_000);
      expect(await burst()).toHaveLength(60);
    });

    it('admits exactly the limit of many concurrent hits, each with a different count', async () => {
      const key = fresh('k');
      const verdicts = await Promise.all(Array.from({ length: 1_000 }, () => hit(key, 300)));
      const used = verdicts.filter(isAdmittedBy).map(([state]) => state?.used);
      expect(used).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    });

    it('keeps the count when the limit changes', async () => {
      const { windowMs } = harness.store;
      const key = fresh('k');
      for (let i = 0; i < 4; i++) {
        await hit(key, 4);
        await harness.pass(10_000);
      }
      expect((await stateOf(key, 5)).isAdmitted).toBe(true);
      const lowered = await stateOf(key, 2);
      // A limit of two admits once three of the five hits have left and the fourth leaves.
      expect(lowered).toEqual({ isAdmitted: false, used: 5, resetMs: about(windowMs - 10_000) });
      await harness.pass(lowered.resetMs - 5_000);
      expect((await stateOf(key, 2)).isAdmitted).toBe(false);
      await harness.pass(5_000);
      expect((await stateOf(key, 2)).isAdmitted).toBe(true);
    });

    it('admits nothing where the limit is 0', async () => {
      expect(await stateOf(fresh('k'), 0)).toEqual({ isAdmitted: false, used: 0, resetMs: harness.store.windowMs });
    });

    describe('with a window for each limit', () => {
      const [second, short, hour] = [1_000, 20_000, 3_600_000];
      const hitIn = async (keys: readonly string[], windows: readonly HitWindow[], limits: readonly number[]) =>
        harness.store.hit({ client: keys[0], keys, windows, limits });

      it('admits no more than any limit in any of its windows, and rejects only above one', async () => {
        const windows = [second, harness.store.windowMs, hour];
        const limits = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 6 }), fc.constant(8));
        const waits = fc.array(fc.constantFrom(0, 0, 300, 700, 1_000, 20_000, 60_000, hour), { maxLength: 60 });
        await fc.assert(
          fc.asyncProperty(limits, waits, async (limitOf, steps) => {
            const keys = fresh('second', 'minute', 'hour');
            const admitted = new AdmittedHits();
            for (const waitMs of steps) {
              if (waitMs > 0) await harness.pass(waitMs);
              const beforeMs = harness.nowMs();
              const verdict = await hitIn(keys, windows, limitOf);
              const afterMs = harness.nowMs();
              const isAdmitted = isAdmittedBy(verdict);
              if (isAdmitted) admitted.add(beforeMs, afterMs);
              verdict.forEach((state, i) => {
                const [windowMs, limit] = [windows[i] as number, limitOf[i] as number];
                expect(admitted.countMin(afterMs, windowMs)).toBeLessThanOrEqual(limit);
                if (!state.isAdmitted) expect(admitted.countMax(beforeMs, windowMs)).toBeGreaterThanOrEqual(limit);
                expect(state.used).toBeLessThanOrEqual(admitted.countMax(beforeMs, windowMs) + Number(isAdmitted));
              });
            }
          }),
          { numRuns },
        );
      });

      it('admits again after the longest wait of the limits that reject', async () => {
        const keys = fresh('short', 'hour');
        for (let i = 0; i < 2; i++) await hitIn(keys, [short, hour], [2, 2]);
        const verdict = await hitIn(keys, [short, hour], [2, 2]);
        expect(verdict).toEqual([
          { isAdmitted: false, used: 2, resetMs: about(short) },
          { isAdmitted: false, used: 2, resetMs: about(hour) },
        ]);
        await harness.pass(short + 1);
        expect(await hitIn(keys, [short, hour], [2, 2])).toMatchObject([
          { isAdmitted: true, used: 0 },
          { isAdmitted: false, used: 2 },
        ]);
        await harness.pass(hour);
        expect(isAdmittedBy(await hitIn(keys, [short, hour], [2, 2]))).toBe(true);
      });

      it('returns the counts of every window for a hit that its last limit never admits, and counts nothing', async () => {
        const keys = fresh('short', 'hour', 'quota', 'reading');
        const windows: HitWindow[] = [short, hour, 'month', harness.store.windowMs];
        for (let i = 0; i < 2; i++) await hitIn(keys.slice(0, 3), windows.slice(0, 3), [5, 2, 20_000]);
        const quotaResetMs = about(leftOf(harness.utcMs(), 'month'));
        for (let i = 0; i < 3; i++) {
          expect(await hitIn(keys, windows, [5, 2, 20_000, 0])).toMatchObject([
            { used: 2, resetMs: about(short) },
            { used: 2, resetMs: about(hour) },
            { used: 2, resetMs: quotaResetMs },
            { isAdmitted: false, used: 0 },
          ]);
        }
        await harness.pass(short + 1);
        expect(await hitIn(keys, windows, [5, 2, 20_000, 0])).toMatchObject([
          { used: 0, resetMs: 0 },
          { used: 2 },
          {},
          {},
        ]);
      });

      it('shares its count with hits that name no window when the window is that of the store', async () => {
        const key = fresh('k');
        await hit(key, 3);
        expect(await hitIn(key, [harness.store.windowMs], [3])).toMatchObject([{ used: 2 }]);
        expect(await stateOf(key, 3)).toMatchObject({ isAdmitted: true, used: 3 });
      });

      it('counts in buckets above 10,000: never more than the limit, at most a bucket late', async () => {
        const [key, limit, bucket] = [fresh('k'), 10_010, hour / 1_000];
        const many = async (count: number) =>
          (await Promise.all(Array.from({ length: count }, () => hitIn(key, [hour], [limit])))).filter(isAdmittedBy);
        expect(await many(10_000)).toHaveLength(10_000);
        await harness.pass(30 * 60_000);
        expect(await many(20)).toHaveLength(10);
        await harness.pass(30 * 60_000 - 60_000);
        expect(await many(5)).toHaveLength(0);
        await harness.pass(60_000 + bucket);
        expect(await many(10_010)).toHaveLength(10_000);
      });

      it('keeps the count when the limit crosses 10,000 in either direction', async () => {
        const key = fresh('k');
        const stateIn = async (limit: number) => (await hitIn(key, [hour], [limit]))[0] as HitState;
        for (let i = 0; i < 3; i++) await stateIn(3);
        await harness.pass(60_000);
        expect(await stateIn(20_000)).toMatchObject({ isAdmitted: true, used: 4 });
        await harness.pass(60_000);
        expect(await stateIn(20_000)).toMatchObject({ isAdmitted: true, used: 5 });
        // A limit of two admits once three of the five hits have left and the fourth leaves.
        const lowered = await stateIn(2);
        expect(lowered).toMatchObject({ isAdmitted: false, used: 5 });
        expect(lowered.resetMs).toBeGreaterThan(hour - 60_500 - elapsedMs());
        expect(lowered.resetMs).toBeLessThanOrEqual(hour - 60_000 + hour / 1_000);
        await harness.pass(lowered.resetMs);
        expect(await stateIn(2)).toMatchObject({ isAdmitted: true, used: 2 });
        expect(await stateIn(20_000)).toMatchObject({ isAdmitted: true, used: 3 });
      });

      it.each(['day', 'month'] as const)('counts a quota until the %s ends in UTC', async (period) => {
        const keys = fresh('quota', 'short');
        const resetMs = about(leftOf(harness.utcMs(), period));
        for (let i = 1; i <= 3; i++) {
          const [quota] = await hitIn(keys, [period, short], [3, 100]);
          expect(quota).toEqual({ isAdmitted: true, used: i, resetMs });
        }
        expect(await hitIn(keys, [period, short], [3, 100])).toEqual([
          { isAdmitted: false, used: 3, resetMs },
          expect.objectContaining({ isAdmitted: true, used: 3 }),
        ]);
        // A lowered quota holds at once, a raised one too.
        expect(await hitIn(keys, [period, short], [1, 100])).toMatchObject([{ isAdmitted: false, used: 3 }, {}]);
        expect(await hitIn(keys, [period, short], [4, 100])).toMatchObject([{ isAdmitted: true, used: 4 }, {}]);
        await harness.pass(leftOf(harness.utcMs(), period) + 1);
        expect(await hitIn(keys, [period, short], [3, 100])).toMatchObject([{ isAdmitted: true, used: 1 }, {}]);
      });
    });

    it('counts each key separately, with any characters', async () => {
      const keys = fresh('owner:ann', 'owner:ann ', 'address:::1', 'Ännchen\n\0🙂', '');
      for (const key of keys) expect(await stateOf([key], 1)).toMatchObject({ isAdmitted: true, used: 1 });
      for (const key of keys) expect(await stateOf([key], 1)).toMatchObject({ isAdmitted: false });
    });

    it('drops many expired hits at once', async () => {
      const key = fresh('k');
      await Promise.all(Array.from({ length: 150 }, () => hit(key, 1_000)));
      await harness.pass(30_000);
      await Promise.all(Array.from({ length: 20 }, () => hit(key, 1_000)));
      await harness.pass(harness.store.windowMs - 29_000);
      expect(await stateOf(key, 1_000)).toMatchObject({ isAdmitted: true, used: 21 });
    });

    it('reports that it is ready', () => {
      expect(harness.store.status().status).toBe('ready');
    });
  });
}

/** The times of admitted hits, each between two readings of the clock. */
class AdmittedHits {
  readonly #hits: [fromMs: number, toMs: number][] = [];

  add(fromMs: number, toMs: number): void {
    this.#hits.push([fromMs, toMs]);
  }

  /** Returns how many are certainly in the window before `nowMs`. */
  countMin(nowMs: number, windowMs: number): number {
    return this.#hits.filter(([fromMs]) => nowMs - fromMs < windowMs).length;
  }

  /** Returns how many may be in the window: times are recorded in whole milliseconds, rounded up. */
  countMax(nowMs: number, windowMs: number): number {
    return this.#hits.filter(([, toMs]) => nowMs - toMs < windowMs + 2).length;
  }
}

/** Returns the time until the period ends, by the calendar of the platform. */
function leftOf(nowMs: number, period: 'day' | 'month'): number {
  const date = new Date(nowMs);
  if (period === 'month') date.setUTCDate(1);
  date.setUTCHours(0, 0, 0, 0);
  if (period === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + 1);
  return date.getTime() - nowMs;
}

/** When the current test began. */
let startedMs = 0;
const elapsedMs = () => performance.now() - startedMs;

/** Matches up to 500 ms less, and the time that the test has taken, for stores whose clock runs during the test. */
function about(ms: number) {
  return expect.toSatisfy((found: number) => found <= ms + 1 && found > ms - 500 - elapsedMs(), `about ${ms}`);
}
