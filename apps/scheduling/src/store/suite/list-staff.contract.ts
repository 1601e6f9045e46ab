import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StaffMember } from '../../entity-model.ts';
import { parseStaffQuery, plainQuery } from '../../staff-query.ts';
import type { Scope } from '../scope.ts';
import type { StaffStore } from '../staff-store.ts';
import { admin, byCodePoint, demo, list, type OpenSeeded, parse, slicesOf } from './store-kit.contract.ts';

/** Lists: which people, in which order, with which properties. */
export function describeListStaff(open: OpenSeeded): void {
  describe('lists people', () => {
    let store: StaffStore;
    let people: StaffMember[];
    beforeAll(async () => {
      store = await open(230);
      people = await list(store, admin, '');
    });
    afterAll(() => store.close());
    const find = (scope: Scope, query: string, includes?: string[]) => list(store, scope, query, includes);
    const keysOf = async (scope: Scope, query: string) => (await find(scope, query)).map((person) => person.StaffKey);

    it('lists the whole company and no other, by StaffKey in code point order', () => {
      expect(people).toHaveLength(230);
      expect(new Set(people.map((person) => person.CompKey))).toEqual(new Set([demo]));
      const keys = people.map((person) => String(person.StaffKey));
      expect(keys).toEqual(keys.toSorted(byCodePoint));
    });

    it('reads a large company in slices that together are the list', async () => {
      const found = await store.listStaff(admin, plainQuery);
      const slices = await slicesOf(found);
      expect(slices.length).toBeGreaterThan(1);
      expect(found.size).toBe(230);
      expect(JSON.parse(`[${slices.join('').slice(1)}]`)).toEqual(people);
    });

    it('returns every property, and collections as null unless requested', () => {
      const collections = { Tags: null, TTCMTags: null, Skillset: null, Profiles: null };
      for (const person of people) {
        expect(person).toMatchObject({ ...collections, AvailableProfiles: null, BadgeIds: null });
        expect(Object.keys(person)).toHaveLength(65);
      }
    });

    it('writes flags as booleans, decimals as numbers, and Z only after Utc dates', () => {
      const person = people.find((one) => one.UserLastLoginDateTimeUtc !== null && one.StartDate !== null);
      expect(person).toMatchObject({ IsActive: expect.any(Boolean), Fte: expect.any(Number) });
      expect(person?.LastModifiedDateUtc).toMatch(/T\d\d:\d\d:\d\dZ$/);
      expect(person?.StartDate).toMatch(/T00:00:00$/);
    });

    it('never returns a PIN', async () => {
      const everything = JSON.stringify(await find(admin, '$expand=*'));
      expect(everything).not.toContain('PIN');
    });

    it('orders ties by StaffKey, and null first', async () => {
      const ordered = await find(admin, '$orderby=Pager,City desc&$select=StaffKey,City,Pager');
      const expected = people.toSorted(
        (a, b) =>
          byCodePoint(a.Pager ?? '', b.Pager ?? '') ||
          -byCodePoint(a.City ?? '', b.City ?? '') ||
          byCodePoint(a.StaffKey ?? '', b.StaffKey ?? ''),
      );
      expect(ordered.map((person) => person.StaffKey)).toEqual(expected.map((person) => person.StaffKey));
    });

    it('filters before it counts, and counts before it limits', async () => {
      const query = parse("$filter=City eq 'Boulder'&$count=true&$skip=2&$top=3");
      const found = await store.listStaff(admin, query);
      const inBoulder = people.filter((person) => person.City === 'Boulder');
      expect([found.count, found.size]).toEqual([inBoulder.length, 3]);
      const keys = await keysOf(admin, "$filter=City eq 'Boulder'&$skip=2&$top=3");
      expect(keys).toEqual(inBoulder.slice(2, 5).map((person) => person.StaffKey));
    });

    it('accepts $skip without $top, and $top=0', async () => {
      expect(await keysOf(admin, '$skip=225')).toEqual(people.slice(225).map((person) => person.StaffKey));
      expect(await keysOf(admin, '$top=0')).toEqual([]);
    });

    it('finds names with quotes and non-ASCII letters', async () => {
      const names = await find(admin, "$filter=LastName eq 'O''Neil' or startswith(FirstName,'Zo%C3%AB')");
      const expected = people.filter((one) => one.LastName === "O'Neil" || one.FirstName?.startsWith('Zoë'));
      expect(names.length).toBeGreaterThan(0);
      expect(names).toEqual(expected);
    });

    it('leaves out people who have not changed since', async () => {
      const query = parseStaffQuery('', { sinceModifiedTimestamp: '2026-06-01T02:00:00+02:00', clock: Date.now });
      const { size } = await store.listStaff(admin, query);
      const changed = people.filter((person) => String(person.LastModifiedDateUtc) >= '2026-06-01T00:00:00Z');
      expect(size).toBe(changed.length);
      expect(size).toBeLessThan(230);
    });
  });
}
