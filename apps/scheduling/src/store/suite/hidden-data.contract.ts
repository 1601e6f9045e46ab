import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../scope.ts';
import type { StaffStore } from '../staff-store.ts';
import { admin, list, type OpenSeeded, parse, reader } from './store-kit.contract.ts';

/** Non-admins cannot learn admin-only data through any option. */
export function describeHiddenData(open: OpenSeeded): void {
  describe('hides admin-only data', () => {
    let store: StaffStore;
    beforeAll(async () => {
      store = await open(230);
    });
    afterAll(() => store.close());
    const find = (scope: Scope, query: string, includes?: string[]) => list(store, scope, query, includes);
    const keysOf = async (scope: Scope, query: string) => (await find(scope, query)).map((person) => person.StaffKey);

    it('shows empty collections to non-admins', async () => {
      const [person] = await find(reader, '$top=1', ['Tags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds']);
      const hidden = { Tags: [], TTCMTags: [], Skillset: [], Profiles: [], AvailableProfiles: [] };
      expect(person).toMatchObject({ ...hidden, BadgeIds: expect.any(Array) });
    });

    it.each([
      ['Tags/any()', 0],
      ["Tags/any(c:c/CategoryName eq 'Team')", 0],
      ["Tags/any(c:c/Tags/any(t:t/Name eq 'Blue'))", 0],
      ['Skillset/any(s:s/IsSkilledMon)', 0],
      ['Profiles/$count gt 0', 0],
      ['Profiles/all(p:p/IsViewable eq false)', 230],
      ['not Tags/any()', 230],
    ])('reveals nothing to non-admins by $filter=%s', async (filter, size) => {
      expect(await keysOf(reader, `$filter=${filter}`)).toHaveLength(size);
      const counted = await store.listStaff(reader, parse(`$count=true&$top=0&$filter=${filter}`));
      expect(counted.count).toBe(size);
    });

    it('empties the tags of pay modifiers for non-admins', async () => {
      const hidden = { PayModifierTagKeys: [], LocationTagKey: null, TaskTagKey: null };
      const seen = { tags: 0, locations: 0, tasks: 0 };
      for (const staffKey of await keysOf(admin, '$select=StaffKey')) {
        const whole = JSON.parse((await store.listPayModifiers(admin, staffKey ?? '')).json);
        const less = JSON.parse((await store.listPayModifiers(reader, staffKey ?? '')).json);
        expect(less).toEqual(whole.map((modifier: object) => ({ ...modifier, ...hidden })));
        for (const { PayModifierTagKeys, LocationTagKey, TaskTagKey } of whole) {
          seen.tags += PayModifierTagKeys.length;
          seen.locations += LocationTagKey === null ? 0 : 1;
          seen.tasks += TaskTagKey === null ? 0 : 1;
        }
      }
      expect(Object.values(seen).every((count) => count > 0)).toBe(true);
    });

    it('reveals nothing to non-admins by the order, or by options within $expand', async () => {
      const plain = await keysOf(reader, '');
      expect(await keysOf(reader, '$orderby=Tags/$count desc')).toEqual(plain);
      expect(await keysOf(admin, '$orderby=Tags/$count desc')).not.toEqual(plain);
      const [person] = await find(reader, "$top=1&$expand=Tags($filter=CategoryName eq 'Team')");
      expect(person?.Tags).toEqual([]);
    });
  });
}
