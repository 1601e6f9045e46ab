import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageCount } from './usage-counter.ts';
import { type UsageQuery, type UsageStore, usageParts } from './usage-store.ts';

export interface UsageStoreSuite {
  /** Opens the same counts again at each call. */
  open(): Promise<UsageStore>;
}

export const countOf = (more: Partial<UsageCount> = {}): UsageCount => ({
  ...{ hour: 480_000, owner: 'shop', key: 'web', operation: 'getA', status: '2xx', requests: 1 },
  ...more,
});
const rangeOf = (more: Partial<UsageQuery> = {}): UsageQuery => ({
  ...{ owner: undefined, fromHour: 480_000, toHour: 480_001, intervalHours: 1, by: usageParts, rowsMax: 1_000 },
  ...more,
});

/** The guarantees of every store of usage. */
export function describeUsageStore(name: string, { open }: UsageStoreSuite): void {
  describe(name, () => {
    let store: UsageStore;
    let writers = 0;
    const newWriter = () => `writer ${writers++}`;
    const requestsOf = async (query: Partial<UsageQuery>) =>
      (await store.read(rangeOf({ by: [], ...query }))).map(({ requests }) => requests);
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    it('adds the counts of every delta', async () => {
      const writer = newWriter();
      const counts = [countOf(), countOf({ status: '429', requests: 3 }), countOf({ key: '', owner: '' })];
      await store.add({ writer, sequence: 1, counts });
      await store.add({ writer, sequence: 2, counts });
      expect(await store.read(rangeOf())).toEqual([
        { hour: 480_000, owner: '', key: '', operation: 'getA', status: '2xx', requests: 2 },
        { hour: 480_000, owner: 'shop', key: 'web', operation: 'getA', status: '2xx', requests: 2 },
        { hour: 480_000, owner: 'shop', key: 'web', operation: 'getA', status: '429', requests: 6 },
      ]);
    });

    it('adds a repeated delta once, also through another connection', async () => {
      const delta = { writer: newWriter(), sequence: 7, counts: [countOf({ owner: 'repeated' })] };
      const other = await open();
      await Promise.all([store.add(delta), other.add(delta), store.add(delta)]);
      await other.close();
      await store.add({ ...delta, sequence: 6 });
      expect(await requestsOf({ owner: 'repeated' })).toEqual([1]);
    });

    it('adds the deltas of several writers at once', async () => {
      const stores = await Promise.all(Array.from({ length: 4 }, open));
      const counts = Array.from({ length: 50 }, (_, i) => countOf({ owner: 'many', key: `k${i}` }));
      await Promise.all(
        stores.map(async (one, i) => {
          const writer = newWriter();
          const mixed = i % 2 === 0 ? counts : counts.toReversed();
          for (let sequence = 1; sequence <= 5; sequence++) await one.add({ writer, sequence, counts: mixed });
          await one.close();
        }),
      );
      expect(await requestsOf({ owner: 'many' })).toEqual([4 * 5 * 50]);
    });

    it('groups by hour or day in UTC, and by the parts of the query', async () => {
      const day = 24 * 20_001;
      const counts = [
        countOf({ owner: 'grouped', hour: day - 1 }),
        countOf({ owner: 'grouped', hour: day, key: 'b' }),
        countOf({ owner: 'grouped', hour: day, key: 'b', operation: 'getB' }),
        countOf({ owner: 'grouped', hour: day + 23, key: 'a', requests: 5 }),
        countOf({ owner: 'grouped', hour: day + 24, requests: 9 }),
      ];
      await store.add({ writer: newWriter(), sequence: 1, counts });
      const range = { owner: 'grouped', fromHour: day - 1, toHour: day + 24 };
      expect(await store.read(rangeOf({ ...range, by: ['key'] }))).toEqual([
        { hour: day - 1, key: 'web', requests: 1 },
        { hour: day, key: 'b', requests: 2 },
        { hour: day + 23, key: 'a', requests: 5 },
      ]);
      expect(await store.read(rangeOf({ ...range, by: [], intervalHours: 24 }))).toEqual([
        { hour: day - 24, requests: 1 },
        { hour: day, requests: 7 },
      ]);
      expect(await store.read(rangeOf({ ...range, owner: undefined, by: ['owner', 'operation'] }))).toMatchObject([
        { owner: 'grouped', operation: 'getA' },
        { owner: 'grouped', operation: 'getA' },
        { owner: 'grouped', operation: 'getB' },
        { owner: 'grouped', operation: 'getA' },
      ]);
      expect(await store.read(rangeOf({ ...range, by: ['key'], rowsMax: 2 }))).toHaveLength(2);
      expect(await store.read(rangeOf({ ...range, owner: "x' OR 1=1 --" }))).toEqual([]);
    });

    it('stores any name', async () => {
      const key = `corp:"Zoë", 'or' 1=1; {a,b} \\ 名 ${'x'.repeat(300)}`;
      await store.add({ writer: newWriter(), sequence: 1, counts: [countOf({ owner: key, key })] });
      expect(await store.read(rangeOf({ owner: key, by: ['owner', 'key'] }))).toMatchObject([{ owner: key, key }]);
    });

    it('removes the counts before an hour', async () => {
      const counts = Array.from({ length: 2_500 }, (_, i) => countOf({ hour: 100 + (i % 4), key: `k${i}` }));
      await store.add({ writer: newWriter(), sequence: 1, counts });
      await store.removeBefore(103);
      expect(await requestsOf({ fromHour: 0, toHour: 200 })).toEqual([625]);
      expect(await requestsOf({ owner: 'shop' })).not.toEqual([]);
    });

    it('removes one day of counts at most, from the oldest, in case the clock is wrong', async () => {
      const counts = [10, 33, 34, 57].map((hour) => countOf({ hour }));
      await store.add({ writer: newWriter(), sequence: 1, counts });
      const left = async () =>
        (await store.read(rangeOf({ fromHour: 0, toHour: 100, by: [] }))).map(({ hour }) => hour);
      await store.removeBefore(900_000);
      expect(await left()).toEqual([34, 57]);
      await store.removeBefore(900_000);
      expect(await left()).toEqual([]);
    });
  });
}
