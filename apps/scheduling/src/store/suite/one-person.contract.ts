import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schemas, StaffMember } from '../../entity-model.ts';
import { plainQuery } from '../../staff-query.ts';
import type { StaffStore } from '../staff-store.ts';
import {
  admin,
  byCodePoint,
  demo,
  jsonOf,
  list,
  type OpenSeeded,
  otherCompany,
  parse,
  reader,
  rejection,
} from './store-kit.contract.ts';

/** Reads of one person and of the collections with operations of their own. */
export function describeOnePerson(open: OpenSeeded): void {
  describe('reads one person', () => {
    let store: StaffStore;
    let people: StaffMember[];
    beforeAll(async () => {
      store = await open(230);
      people = await list(store, admin, '');
    });
    afterAll(() => store.close());

    it('reads each person by key, with any characters', async () => {
      for (const person of people.filter((one) => !/^[0-9a-f-]{36}$/.test(String(one.StaffKey)))) {
        expect(jsonOf(await store.readStaff(admin, String(person.StaffKey), plainQuery))).toEqual(person);
      }
    });

    it('rejects an unknown key like one of another company', async () => {
      const otherAdmin = { companyKey: otherCompany, isAdmin: true };
      const key = String(people[0]?.StaffKey);
      const unknown = await rejection(store.readStaff(admin, 'nobody', plainQuery));
      const foreign = await rejection(store.readStaff(otherAdmin, key, plainQuery));
      expect([unknown.code, foreign.code]).toEqual(['not_found', 'not_found']);
      expect(foreign.detail.replace(key, 'nobody')).toBe(unknown.detail);
    });

    it('does not find a person who does not match the filter', async () => {
      const key = String(people[0]?.StaffKey);
      const isActive = people[0]?.IsActive === true;
      expect((await store.readStaff(admin, key, parse(`$filter=IsActive eq ${isActive}`))).json).toContain(key);
      const { code } = await rejection(store.readStaff(admin, key, parse(`$filter=IsActive eq ${!isActive}`)));
      expect(code).toBe('not_found');
    });

    it('lists locations by LocationKey, without tags for non-admins', async () => {
      const seen = { tags: 0, hidden: 0 };
      for (const { StaffKey } of people.slice(0, 20)) {
        const all = jsonOf(await store.listLocations(admin, String(StaffKey))) as Schemas['StaffLocation'][];
        const less = jsonOf(await store.listLocations(reader, String(StaffKey))) as Schemas['StaffLocation'][];
        const keys = all.map((one) => one.Location.LocationKey);
        expect(keys).toEqual(keys.toSorted(byCodePoint));
        expect(less.map((one) => one.Location.LocationKey)).toEqual(keys);
        for (const one of all) seen.tags += one.Tags.length + one.Location.Tags.length + one.Staff.Tags.length;
        for (const one of less) seen.hidden += one.Tags.length + one.Location.Tags.length + one.Staff.Tags.length;
      }
      expect(seen.tags).toBeGreaterThan(40);
      expect(seen.hidden).toBe(0);
    });

    it('lists profiles by ProfileKey, and none for non-admins', async () => {
      const key = String(people[0]?.StaffKey);
      const keys = (jsonOf(await store.listProfiles(admin, key)) as Schemas['StaffProfile'][]).map((p) => p.ProfileKey);
      expect(keys.length).toBeGreaterThan(0);
      expect(keys).toEqual(keys.toSorted());
      expect(jsonOf(await store.listProfiles(reader, key))).toEqual([]);
    });

    it('fills the included collections of request limits', async () => {
      const limits = async (includes: string[]) => {
        for (const { StaffKey } of people) {
          const found = jsonOf(await store.listRequestLimits(reader, String(StaffKey), includes));
          if (found.length > 0) return found[0] as Schemas['RequestLimit'];
        }
        return undefined;
      };
      expect(await limits([])).toMatchObject({ CompanyKey: demo, ShiftCredits: null, StaffLimits: null });
      expect(await limits(['ShiftsCredit'])).toMatchObject({
        ShiftCredits: [{ Credit: expect.any(Number) }, {}, {}, {}, {}, {}],
      });
      expect((await limits(['StaffLimits']))?.StaffLimits?.length).toBeGreaterThan(1);
    });

    it('has badges and pay modifiers for some people', async () => {
      let [badges, modifiers] = [0, 0];
      for (const { StaffKey } of people) {
        badges += jsonOf(await store.listBadges(reader, String(StaffKey))).length;
        const found = jsonOf(await store.listPayModifiers(reader, String(StaffKey))) as Schemas['PayModifier'][];
        modifiers += found.length;
        for (const one of found) expect(one).toMatchObject({ StaffMemberKey: StaffKey, CompanyKey: demo });
      }
      expect(badges).toBeGreaterThan(150);
      expect(modifiers).toBeGreaterThan(40);
    });

    it.each(['listLocations', 'listProfiles', 'listPayModifiers', 'listBadges'] as const)(
      '%s rejects an unknown key',
      async (operation) => {
        for (const scope of [admin, reader]) {
          expect((await rejection(store[operation](scope, 'nobody'))).code).toBe('not_found');
        }
      },
    );
  });
}
