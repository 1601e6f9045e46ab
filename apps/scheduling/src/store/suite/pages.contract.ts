import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomOrder } from '../../../test/random-orders.ts';
import type { StaffMember } from '../../entity-model.ts';
import { createSkipToken, parseSkipToken } from '../../operations/skip-token.ts';
import { parseStaffQuery } from '../../staff-query.ts';
import type { Place } from '../staff-order.ts';
import type { StaffList } from '../staff-reads.ts';
import type { StaffStore } from '../staff-store.ts';
import { admin, list, type OpenSeeded, parse, peopleOf, writer } from './store-kit.contract.ts';

/** Lists in pages, each starting where the one before ended. */
export function describePages(open: OpenSeeded): void {
  describe('reads lists in pages', () => {
    let store: StaffStore;
    let people: StaffMember[];
    beforeAll(async () => {
      store = await open(60);
      people = await list(store, admin, '');
    });
    afterAll(() => store.close());

    async function readPages(query: string, size: number, between?: (page: StaffList) => Promise<unknown>) {
      const keys: string[] = [];
      const { orderby } = parse(query).options;
      let after: Place | undefined;
      for (let pages = 0; pages < 100; pages++) {
        const page = await store.listStaff(admin, parse(query), { after, top: size, isPage: true });
        expect(page.size).toBeLessThanOrEqual(size);
        for (const { StaffKey } of await peopleOf(page)) keys.push(String(StaffKey));
        if (page.next === undefined) return keys;
        after = parseSkipToken(
          createSkipToken({ after: page.next, delivered: 1, pageSize: size }, ''),
          '',
          orderby,
        ).after;
        await between?.(page);
      }
      throw new Error('The pages have no end.');
    }

    it.each([
      '',
      '$orderby=City',
      '$orderby=City desc,LastName',
      '$orderby=LastName',
      '$orderby=LastName desc',
      '$orderby=StaffId desc',
      '$orderby=Npi',
      '$orderby=Npi desc',
      "$filter=LastName eq 'O''Neil'&$orderby=Email",
      "$filter=LastName eq 'O''Neil' and contains(City,'o')&$orderby=Email",
      '$count=true&$orderby=LastName',
      '$orderby=Pager',
      '$orderby=IsActive,Fte desc',
      '$orderby=StartDate desc',
      '$orderby=Tags/$count desc',
      "$filter=contains(LastName,'a')",
      "$filter=contains(LastName,'a')&$orderby=length(LastName)",
      "$filter=LastName eq 'Nobody'",
      '$count=true',
      '$count=true&$orderby=City',
    ])('that together are the list: %s', async (query) => {
      const whole = (await list(store, admin, query)).map((person) => String(person.StaffKey));
      for (const size of [1, 7, 60]) expect(await readPages(query, size)).toEqual(whole);
    });

    it('that all have the count of the whole list', async () => {
      const first = await store.listStaff(admin, parse('$count=true'), { top: 10, isPage: true });
      const second = await store.listStaff(admin, parse('$count=true'), { top: 10, isPage: true, after: first.next });
      expect([first.count, second.count, second.size]).toEqual([60, 60, 10]);
    });

    it('after skipping people', async () => {
      for (const query of ['', '$count=true', '$orderby=City']) {
        const whole = await list(store, admin, query);
        const page = await store.listStaff(admin, parse(query), { skip: 4, top: 3, isPage: true });
        expect(await peopleOf(page)).toEqual(whole.slice(4, 7));
      }
    });

    it('and leaves out people who have not changed since', async () => {
      const query = parseStaffQuery('', { sinceModifiedTimestamp: '2026-06-01', clock: Date.now });
      const changed = people.filter((person) => String(person.LastModifiedDateUtc) >= '2026-06-01');
      expect(changed.length).toBeGreaterThan(6);
      const page = await store.listStaff(admin, query, { top: 5, isPage: true });
      expect(await peopleOf(page)).toEqual(changed.slice(0, 5));
      const rest = await store.listStaff(admin, query, { top: 60, isPage: true, after: page.next });
      expect(await peopleOf(rest)).toEqual(changed.slice(5));
    });

    // Last, because these tests change people.
    it('that together are the list, in any order', async () => {
      const [first, second] = people.map(({ StaffKey }) => String(StaffKey));
      await store.updateStaff(writer, String(first), { Fte: 1e308, RegHours: 5e-324, City: '😀\uffee' });
      await store.updateStaff(writer, String(second), { Fte: -1e308, RegHours: 0, City: '' });
      const property = fc.asyncProperty(randomOrder, fc.integer({ min: 3, max: 25 }), async (order, size) => {
        const query = `$orderby=${order}`;
        const whole = (await list(store, admin, query)).map((person) => String(person.StaffKey));
        expect(new Set(whole).size).toBe(people.length);
        expect(await readPages(query, size)).toEqual(whole);
      });
      await fc.assert(property, { numRuns: 60 });
    });

    it.each(['', '$orderby=City'])(
      'without losing or repeating anybody while others are added and removed: %s',
      async (order) => {
        const query = `$filter=Abbrev ne 'GONE'&${order}`;
        const before = (await list(store, admin, query)).map((person) => String(person.StaffKey));
        const leavers: string[] = [];
        const found = await readPages(query, 7, async (page) => {
          const last = String(page.next?.staffKey);
          leavers.push(last);
          // The last person of the page no longer belongs to the list.
          await store.updateStaff(writer, last, { Abbrev: 'GONE' });
          await store.createStaff(writer, { StaffId: `N${order}-${leavers.length}`, City: 'Aachen' });
        });
        const known = new Set(before);
        expect(found.filter((key) => known.has(key))).toEqual(before);
        expect(new Set(found).size).toBe(found.length);
        expect(leavers.length).toBeGreaterThan(5);
      },
    );
  });
}
