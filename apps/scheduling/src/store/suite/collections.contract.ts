import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StaffMember } from '../../entity-model.ts';
import type { Scope } from '../scope.ts';
import type { StaffStore } from '../staff-store.ts';
import { admin, byCodePoint, jsonOf, list, type OpenSeeded, parse } from './store-kit.contract.ts';

/** Collections within a list: selected, filled, filtered. */
export function describeCollections(open: OpenSeeded): void {
  describe('fills collections', () => {
    let store: StaffStore;
    let people: StaffMember[];
    beforeAll(async () => {
      store = await open(230);
      people = await list(store, admin, '');
    });
    afterAll(() => store.close());
    const find = (scope: Scope, query: string, includes?: string[]) => list(store, scope, query, includes);
    const keysOf = async (scope: Scope, query: string) => (await find(scope, query)).map((person) => person.StaffKey);

    it('returns only selected properties and expanded collections', async () => {
      const [person] = await find(admin, '$select=LastName,Tags,BadgeIds&$expand=Profiles&$top=1', ['BadgeIds']);
      expect(Object.keys(person ?? {}).sort()).toEqual(['BadgeIds', 'LastName', 'Profiles', 'Tags']);
      expect(person).toMatchObject({ Tags: null, Profiles: expect.any(Array), BadgeIds: expect.any(Array) });
    });

    it('fills what includes or expand names, with time clock tags beside tags', async () => {
      const [person] = await find(admin, '$expand=Skillset&$top=1', ['Tags']);
      const arrays = { Tags: expect.any(Array), TTCMTags: expect.any(Array), Skillset: expect.any(Array) };
      expect(person).toMatchObject({ ...arrays, Profiles: null, AvailableProfiles: null, BadgeIds: null });
    });

    it('lists each category once, with its tags', async () => {
      for (const { Tags } of await find(admin, '$expand=Tags')) {
        const categories = (Tags ?? []).map((category) => category.CategoryKey);
        expect(categories.length).toBeGreaterThan(0);
        expect(new Set(categories).size).toBe(categories.length);
        for (const category of Tags ?? []) expect(category.Tags?.length).toBeGreaterThan(0);
      }
    });

    it('applies the options of an expanded collection', async () => {
      const query =
        "$expand=Tags($filter=CategoryName ne 'Team';$orderby=CategoryName desc;$top=2;$select=CategoryName)";
      const [plain, narrowed] = [await find(admin, '$expand=Tags'), await find(admin, query)];
      for (const [i, { Tags }] of narrowed.entries()) {
        const names = (plain[i]?.Tags ?? []).map((tag) => String(tag.CategoryName)).filter((one) => one !== 'Team');
        const expected = names.toSorted(byCodePoint).reverse().slice(0, 2);
        expect(Tags).toEqual(expected.map((CategoryName) => ({ CategoryName })));
      }
    });

    it('filters on exactly the collections that it shows', async () => {
      const withSkills = await find(admin, '$expand=Skillset,Tags');
      const skilled = withSkills.filter((one) => one.Skillset?.some((s) => s.TaskName === 'OR 1' && s.IsSkilledMon));
      const query = "$filter=Skillset/any(s:s/TaskName eq 'OR 1' and s/IsSkilledMon)";
      expect(await keysOf(admin, query)).toEqual(skilled.map((one) => one.StaffKey));
      const blue = withSkills.filter((one) => one.Tags?.some((c) => c.Tags?.some((t) => t.Name === 'Blue')));
      expect(blue.length).toBeGreaterThan(0);
      const nested = "$filter=Tags/any(c:c/Tags/any(t:t/Name eq 'Blue'))";
      expect(await keysOf(admin, nested)).toEqual(blue.map((one) => one.StaffKey));
      const counted = withSkills.filter((one) => (one.Tags?.length ?? 0) > 3);
      expect(await keysOf(admin, '$filter=Tags/$count gt 3')).toEqual(counted.map((one) => one.StaffKey));
    });

    it('lists every profile of the company, with the rights of the person', async () => {
      const key = String(people[0]?.StaffKey);
      const query = parse('', ['Profiles', 'AvailableProfiles']);
      const { Profiles, AvailableProfiles } = jsonOf(await store.readStaff(admin, key, query)) as StaffMember;
      expect(AvailableProfiles).toHaveLength(6);
      expect(AvailableProfiles).toEqual(expect.arrayContaining(Profiles ?? []));
    });
  });
}
