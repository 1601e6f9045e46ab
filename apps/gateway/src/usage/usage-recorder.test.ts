import { describe, expect, it } from 'vitest';
import { openSqliteUsageStore } from './sqlite-usage-store.ts';
import { UsageRecorder, type UsageRecorderOptions } from './usage-recorder.ts';
import type { UsageDelta, UsageStore } from './usage-store.ts';

const hourMs = 3_600_000;
const web = { name: 'web', owner: 'shop' };

/** A store that adds as the others do, and fails on demand. */
class StoreInMemory implements Pick<UsageStore, 'add' | 'removeBefore' | 'close'> {
  failing: 'before' | 'after' | undefined;
  hangs = false;
  readonly requests = new Map<string, number>();
  readonly removed: number[] = [];
  deltas = 0;
  largest = 0;
  readonly #sequences = new Map<string, number>();

  async add({ writer, sequence, counts }: UsageDelta): Promise<void> {
    if (this.hangs) await new Promise(() => {});
    if (this.failing === 'before') throw new Error('away');
    if (sequence > (this.#sequences.get(writer) ?? 0)) {
      this.#sequences.set(writer, sequence);
      this.deltas++;
      this.largest = Math.max(this.largest, counts.length);
      for (const { hour, key, requests } of counts) {
        this.requests.set(`${hour} ${key}`, (this.requests.get(`${hour} ${key}`) ?? 0) + requests);
      }
    }
    if (this.failing === 'after') throw new Error('the acknowledgement is lost');
  }
  async removeBefore(hour: number): Promise<void> {
    this.removed.push(hour);
  }
  async close(): Promise<void> {}
}

function create(more: Partial<UsageRecorderOptions> = {}) {
  const time = { ms: 480_000 * hourMs };
  const store = new StoreInMemory();
  const changes: unknown[] = [];
  const recorder = new UsageRecorder({
    open: async () => store as unknown as UsageStore,
    ...{ writer: 'a', clock: () => time.ms, flushMs: 10_000, keepDays: 2 },
    onChange: (error) => changes.push((error as Error | undefined)?.message ?? 'stored again'),
    ...more,
  });
  return { time, store, changes, recorder };
}

describe('UsageRecorder', () => {
  it('adds a flush once whose acknowledgement was lost', async () => {
    const { recorder, store, changes } = create();
    recorder.count(web, 'getA', 200);
    store.failing = 'after';
    await recorder.flush();
    recorder.count(web, 'getA', 200);
    await recorder.flush();
    expect(recorder.totals()).toEqual({ stored: 0, waiting: 2, overflowed: 0, failures: 2 });
    store.failing = undefined;
    await recorder.flush();
    expect([...store.requests]).toEqual([['480000 web', 2]]);
    expect(recorder.totals()).toMatchObject({ stored: 2, waiting: 0 });
    expect(changes).toEqual(['the acknowledgement is lost', 'stored again']);
  });

  it('keeps counting while the store is away for hours, with a bound, and reports it', async () => {
    const { recorder, store, time, changes } = create({ seriesMax: 50 });
    store.failing = 'before';
    for (let minute = 0; minute < 180; minute++) {
      for (let i = 0; i < 100; i++) recorder.count({ name: `k${i}`, owner: 'a' }, 'getA', 200);
      await recorder.flush();
      time.ms += 60_000;
    }
    // 50 series of the first flush, 50 since then, and one for the rest of each hour.
    const { overflowed } = recorder.totals();
    expect(recorder.totals()).toMatchObject({ stored: 0, waiting: 18_000, failures: 180 });
    expect(overflowed).toBeGreaterThan(0);
    expect(recorder.status()).toEqual({
      status: 'degraded',
      reason: `The usage cannot be stored since 2024-10-04T00:00:00.000Z: 18000 requests wait in memory. ${overflowed} of them are counted without their key.`,
      waiting_requests: 18_000,
      overflowed_requests: overflowed,
    });
    store.failing = undefined;
    await recorder.flush();
    expect([...store.requests.values()].reduce((sum, n) => sum + n)).toBe(18_000);
    expect(recorder.status()).toMatchObject({ status: 'ready', waiting_requests: 0 });
    expect(changes).toEqual(['away', 'stored again']);
  });

  it('flushes early and in parts when many keys call, so that memory stays flat', async () => {
    const { recorder, store } = create({ earlySeries: 2_000 });
    let most = 0;
    for (let i = 0; i < 100_000; i++) {
      recorder.count({ name: `k${i}`, owner: 'a' }, 'getA', 200);
      if (i % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, recorder.totals().waiting);
    }
    expect(most).toBeLessThan(10_000);
    await recorder.flush();
    expect(store.requests.size).toBe(100_000);
    expect(store.largest).toBe(1_000);
    expect(recorder.totals()).toMatchObject({ stored: 100_000, overflowed: 0 });
  });

  it('removes counts that are older than keepDays, once an hour', async () => {
    const { recorder, store, time } = create();
    await recorder.flush();
    await recorder.flush();
    time.ms += hourMs;
    recorder.keepDays = 1;
    await recorder.flush();
    expect(store.removed).toEqual([480_000 - 48, 480_001 - 24]);
  });

  it('loses no count and little history when the clock jumps ahead and back', async () => {
    const store = await openSqliteUsageStore(':memory:');
    const { recorder, time } = create({ open: async () => store });
    const start = time.ms;
    const yearMs = 365 * 24 * hourMs;
    for (const stepMs of [0, 20 * hourMs, 40 * hourMs, 10 * yearMs, 40.5 * hourMs, 39 * hourMs]) {
      time.ms = start + stepMs;
      recorder.count(web, 'getA', 200);
      await recorder.flush();
    }
    const all = { owner: undefined, fromHour: 480_000, toHour: 480_000 + 11 * 365 * 24 } as const;
    const rows = await store.read({ ...all, intervalHours: 1, by: [], rowsMax: 9 });
    // The wrong hour removed the first day, and counts apart.
    expect(rows.map(({ hour, requests }) => [hour - 480_000, requests])).toEqual([
      [39, 1],
      [40, 2],
      [10 * 365 * 24, 1],
    ]);
    expect(recorder.totals()).toEqual({ stored: 6, waiting: 0, overflowed: 0, failures: 0 });
    expect(await recorder.close(5_000)).toBe(0);
  });

  it('opens a store again that could not be opened', async () => {
    const { store } = create();
    let tries = 0;
    const { recorder } = create({
      open: async () => {
        if (++tries < 3) throw new Error('away');
        return store as unknown as UsageStore;
      },
    });
    recorder.count(web, 'getA', 200);
    for (let i = 0; i < 3; i++) await recorder.flush();
    expect([...store.requests]).toEqual([['480000 web', 1]]);
  });

  it('stores the last counts when it is closed, and returns how many are lost if it cannot', async () => {
    const good = create();
    good.recorder.count(web, 'getA', 200);
    expect(await good.recorder.close(5_000)).toBe(0);
    expect([...good.store.requests]).toEqual([['480000 web', 1]]);
    const bad = create();
    bad.store.hangs = true;
    bad.recorder.count(web, 'getA', 200);
    expect(await bad.recorder.close(1)).toBe(1);
  });

  it('responds with 503 when the store cannot be read', async () => {
    const { recorder } = create({ open: () => Promise.reject(new Error('postgres://u:secret@h is away')) });
    const failed = await recorder.read({} as never).catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: 503, headers: { 'Retry-After': '10' } });
    expect((failed as Error).message).not.toContain('secret');
  });
});
