import { afterEach, describe, expect, it } from 'vitest';
import { parseStaffQuery } from '../../staff-query.ts';
import type { ListChoice } from '../staff-reads.ts';
import type { StaffStore } from '../staff-store.ts';
import { admin, jsonOf, now, type OpenSeeded, peopleOf, writer } from './store-kit.contract.ts';

/** A client that sends the newest received `LastModifiedDateUtc` as `sinceModifiedTimestamp`. */
export function describeChanges(open: OpenSeeded): void {
  describe('lists what has changed since a time', () => {
    let store: StaffStore;
    afterEach(() => store.close());
    const changesSince = (sinceModifiedTimestamp: string, choice?: ListChoice) =>
      store.listStaff(admin, parseStaffQuery('', { sinceModifiedTimestamp, clock: Date.now }), choice);
    const create = async (StaffId: string) => {
      const written = await store.createStaff(writer, { StaffId });
      return { key: written.staffKey, stamp: jsonOf(written).LastModifiedDateUtc as string };
    };

    it('stamps each write later than every write before it, even when the clock stops or is set back', async () => {
      let time = Date.parse(`${now}Z`);
      store = await open(3, () => time);
      const stamps: string[] = [];
      for (const shiftMs of [0, 0, 0.4, -3_600_000, -1, 7_200_000, 0, -86_400_000]) {
        time += shiftMs;
        const { key, stamp } = await create(`N-${stamps.length}`);
        stamps.push(stamp, jsonOf(await store.updateStaff(writer, key, { City: 'Bern' })).LastModifiedDateUtc);
      }
      const times = stamps.map((stamp) => Date.parse(stamp));
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    });

    it('leaves a person who changes during a list to the next list', async () => {
      store = await open(3);
      const [a, b] = [await create('A'), await create('B')];
      const list = await changesSince(a.stamp);
      const last = await create('C');
      await store.updateStaff(writer, b.key, { City: 'Bern' });
      const found = await peopleOf(list);
      expect(found.map(({ StaffId }) => StaffId)).toEqual(['A']);
      const next = await peopleOf(await changesSince(String(found[0]?.LastModifiedDateUtc)));
      expect(next.map(({ StaffId }) => StaffId).toSorted()).toEqual(['A', 'B', 'C']);
      expect(next.find(({ StaffId }) => StaffId === 'C')?.LastModifiedDateUtc).toBe(last.stamp);
    });

    it.each(['', '$orderby=StaffId desc'])(
      'uses the upper bound of the first page on later pages: %s',
      async (order) => {
        store = await open(3);
        const made = [await create('A'), await create('B'), await create('C')];
        const query = parseStaffQuery(order, { sinceModifiedTimestamp: made[0]?.stamp, clock: Date.now });
        const first = await store.listStaff(admin, query, { top: 1, isPage: true });
        const [seen] = await peopleOf(first);
        for (const { key } of made) await store.updateStaff(writer, key, { City: 'Bern' });
        const rest = await store.listStaff(admin, query, {
          top: 9,
          isPage: true,
          after: first.next,
          until: first.until,
        });
        expect([await peopleOf(rest), seen?.City]).toEqual([[], null]);
        const next = await peopleOf(await changesSince(String(seen?.LastModifiedDateUtc)));
        expect(next.map(({ City }) => City)).toEqual(['Bern', 'Bern', 'Bern']);
      },
    );
  });
}
