import { Problem } from '@rostergate/runtime/problem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Schemas, StaffMember } from '../contract-schemas.ts';
import { demoCompanyKey } from '../demo/seed-demo.ts';
import { parseStaffQuery, plainQuery } from '../staff-query.ts';
import type { Scope, StaffStore, WriteScope } from './staff-store.ts';

export interface StoreSettings {
  readonly clock: () => number;
  readonly newKey: () => string;
}

const demo = 'demo-company';
const otherCompany = demoCompanyKey(1);
const admin: Scope = { companyKey: demo, isAdmin: true };
const reader: Scope = { companyKey: demo, isAdmin: false };
const writer: WriteScope = { ...admin, account: 'admin@demo.example', requestId: 'request-1', operation: 'test' };
const now = '2026-11-21T09:30:00';

/** What every store keeps, whatever is behind it. `open` gives an empty one. */
export function describeStaffStore(name: string, open: (settings: StoreSettings) => Promise<StaffStore>): void {
  const openSeeded = async (staff: number) => {
    let keys = 0;
    const store = await open({ clock: () => Date.parse(`${now}Z`), newKey: () => `new-${++keys}` });
    await store.seedDemo({ companyKey: demo, companies: 2, staff, otherStaff: 5 });
    return store;
  };

  describe(`${name}: reads`, () => {
    let store: StaffStore;
    let people: StaffMember[];
    beforeAll(async () => {
      store = await openSeeded(230);
      people = await list(store, admin, '');
    });
    afterAll(() => store.close());
    const find = (scope: Scope, query: string, includes?: string[]) => list(store, scope, query, includes);
    const keysOf = async (scope: Scope, query: string) => (await find(scope, query)).map((person) => person.StaffKey);

    it('lists the whole company, nobody else, by StaffKey in the order of code points', () => {
      expect(people).toHaveLength(230);
      expect(new Set(people.map((person) => person.CompKey))).toEqual(new Set([demo]));
      const keys = people.map((person) => String(person.StaffKey));
      expect(keys).toEqual(keys.toSorted(byCodePoint));
    });

    it('reads a large company in several slices that together are the list', async () => {
      const found = await store.listStaff(admin, plainQuery);
      const slices: string[] = [];
      for await (const slice of found.slices()) slices.push(slice);
      expect(slices.length).toBeGreaterThan(1);
      expect(found.size).toBe(230);
      expect(JSON.parse(`[${slices.join(',')}]`)).toEqual(people);
    });

    it('has every property in an answer, collections null unless they are asked for', () => {
      const collections = { Tags: null, TTCMTags: null, Skillset: null, Profiles: null };
      for (const person of people) {
        expect(person).toMatchObject({ ...collections, AvailableProfiles: null, BadgeIds: null });
        expect(Object.keys(person)).toHaveLength(65);
      }
    });

    it('writes flags as booleans, decimals as numbers, and a Z behind Utc dates alone', () => {
      const person = people.find((one) => one.UserLastLoginDateTimeUtc !== null && one.StartDate !== null);
      expect(person).toMatchObject({ IsActive: expect.any(Boolean), Fte: expect.any(Number) });
      expect(person?.LastModifiedDateUtc).toMatch(/T\d\d:\d\d:\d\dZ$/);
      expect(person?.StartDate).toMatch(/T00:00:00$/);
    });

    it('never gives a PIN out', async () => {
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

    it('filters before it counts, and counts before it cuts', async () => {
      const query = parse("$filter=City eq 'Boulder'&$count=true&$skip=2&$top=3");
      const found = await store.listStaff(admin, query);
      const inBoulder = people.filter((person) => person.City === 'Boulder');
      expect([found.count, found.size]).toEqual([inBoulder.length, 3]);
      const keys = await keysOf(admin, "$filter=City eq 'Boulder'&$skip=2&$top=3");
      expect(keys).toEqual(inBoulder.slice(2, 5).map((person) => person.StaffKey));
    });

    it('takes a skip without a top, and a top of none', async () => {
      expect(await keysOf(admin, '$skip=225')).toEqual(people.slice(225).map((person) => person.StaffKey));
      expect(await keysOf(admin, '$top=0')).toEqual([]);
    });

    it('finds names with quotes and letters beyond ASCII', async () => {
      const names = await find(admin, "$filter=LastName eq 'O''Neil' or startswith(FirstName,'Zo%C3%AB')");
      const expected = people.filter((one) => one.LastName === "O'Neil" || one.FirstName?.startsWith('Zoë'));
      expect(names.length).toBeGreaterThan(0);
      expect(names).toEqual(expected);
    });

    it('keeps only what is selected, and what is expanded', async () => {
      const [person] = await find(admin, '$select=LastName,Tags,BadgeIds&$expand=Profiles&$top=1', ['BadgeIds']);
      expect(Object.keys(person ?? {}).sort()).toEqual(['BadgeIds', 'LastName', 'Profiles', 'Tags']);
      expect(person).toMatchObject({ Tags: null, Profiles: expect.any(Array), BadgeIds: expect.any(Array) });
    });

    it('fills what includes or expand names, time clock tags along with tags', async () => {
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

    it('honours the options of an expanded collection', async () => {
      const query =
        "$expand=Tags($filter=CategoryName ne 'Team';$orderby=CategoryName desc;$top=2;$select=CategoryName)";
      const [plain, narrowed] = [await find(admin, '$expand=Tags'), await find(admin, query)];
      for (const [i, { Tags }] of narrowed.entries()) {
        const names = (plain[i]?.Tags ?? []).map((tag) => String(tag.CategoryName)).filter((one) => one !== 'Team');
        const expected = names.toSorted(byCodePoint).reverse().slice(0, 2);
        expect(Tags).toEqual(expected.map((CategoryName) => ({ CategoryName })));
      }
    });

    it('filters on exactly what it shows of collections', async () => {
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

    it('shows empty collections to others than admins', async () => {
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
    ])('tells others nothing by $filter=%s', async (filter, size) => {
      expect(await keysOf(reader, `$filter=${filter}`)).toHaveLength(size);
      const counted = await store.listStaff(reader, parse(`$count=true&$top=0&$filter=${filter}`));
      expect(counted.count).toBe(size);
    });

    it('tells others nothing by the order, nor by options within $expand', async () => {
      const plain = await keysOf(reader, '');
      expect(await keysOf(reader, '$orderby=Tags/$count desc')).toEqual(plain);
      expect(await keysOf(admin, '$orderby=Tags/$count desc')).not.toEqual(plain);
      const [person] = await find(reader, "$top=1&$expand=Tags($filter=CategoryName eq 'Team')");
      expect(person?.Tags).toEqual([]);
    });

    it('leaves out whoever has not changed since', async () => {
      const query = parseStaffQuery('', { sinceModifiedTimestamp: '2026-06-01T02:00:00+02:00', clock: Date.now });
      const { size } = await store.listStaff(admin, query);
      const changed = people.filter((person) => String(person.LastModifiedDateUtc) >= '2026-06-01T00:00:00Z');
      expect(size).toBe(changed.length);
      expect(size).toBeLessThan(230);
    });

    it('reads each person by key, whatever letters it has', async () => {
      for (const person of people.filter((one) => !/^[0-9a-f-]{36}$/.test(String(one.StaffKey)))) {
        expect(JSON.parse(await store.readStaff(admin, String(person.StaffKey), plainQuery))).toEqual(person);
      }
    });

    it('answers an unknown key and that of another company alike', async () => {
      const stranger = { companyKey: otherCompany, isAdmin: true };
      const key = String(people[0]?.StaffKey);
      const unknown = await refusal(store.readStaff(admin, 'nobody', plainQuery));
      const foreign = await refusal(store.readStaff(stranger, key, plainQuery));
      expect([unknown.code, foreign.code]).toEqual(['not_found', 'not_found']);
      expect(foreign.detail.replace(key, 'nobody')).toBe(unknown.detail);
    });

    it('does not find a person whom the filter does not match', async () => {
      const key = String(people[0]?.StaffKey);
      const isActive = people[0]?.IsActive === true;
      expect(await store.readStaff(admin, key, parse(`$filter=IsActive eq ${isActive}`))).toContain(key);
      const { code } = await refusal(store.readStaff(admin, key, parse(`$filter=IsActive eq ${!isActive}`)));
      expect(code).toBe('not_found');
    });

    it('offers every profile of the company, with what the person may do already', async () => {
      const key = String(people[0]?.StaffKey);
      const query = parse('', ['Profiles', 'AvailableProfiles']);
      const { Profiles, AvailableProfiles } = JSON.parse(await store.readStaff(admin, key, query)) as StaffMember;
      expect(AvailableProfiles).toHaveLength(6);
      expect(AvailableProfiles).toEqual(expect.arrayContaining(Profiles ?? []));
    });

    it('lists locations by LocationKey, without tags to others than admins', async () => {
      const seen = { tags: 0, hidden: 0 };
      for (const { StaffKey } of people.slice(0, 20)) {
        const all = JSON.parse(await store.listLocations(admin, String(StaffKey))) as Schemas['StaffLocation'][];
        const less = JSON.parse(await store.listLocations(reader, String(StaffKey))) as Schemas['StaffLocation'][];
        const keys = all.map((one) => one.Location.LocationKey);
        expect(keys).toEqual(keys.toSorted(byCodePoint));
        expect(less.map((one) => one.Location.LocationKey)).toEqual(keys);
        for (const one of all) seen.tags += one.Tags.length + one.Location.Tags.length + one.Staff.Tags.length;
        for (const one of less) seen.hidden += one.Tags.length + one.Location.Tags.length + one.Staff.Tags.length;
      }
      expect(seen.tags).toBeGreaterThan(40);
      expect(seen.hidden).toBe(0);
    });

    it('lists profiles by ProfileKey, and none to others than admins', async () => {
      const key = String(people[0]?.StaffKey);
      const keys = (JSON.parse(await store.listProfiles(admin, key)) as Schemas['StaffProfile'][]).map(
        (p) => p.ProfileKey,
      );
      expect(keys.length).toBeGreaterThan(0);
      expect(keys).toEqual(keys.toSorted());
      expect(await store.listProfiles(reader, key)).toBe('[]');
    });

    it('fills of request limits what is included', async () => {
      const limits = async (includes: string[]) => {
        for (const { StaffKey } of people) {
          const found = JSON.parse(await store.listRequestLimits(reader, String(StaffKey), includes));
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

    it('has badges and pay modifiers for some', async () => {
      let [badges, modifiers] = [0, 0];
      for (const { StaffKey } of people) {
        badges += JSON.parse(await store.listBadges(reader, String(StaffKey))).length;
        const found = JSON.parse(await store.listPayModifiers(reader, String(StaffKey))) as Schemas['PayModifier'][];
        modifiers += found.length;
        for (const one of found) expect(one).toMatchObject({ StaffMemberKey: StaffKey, CompanyKey: demo });
      }
      expect(badges).toBeGreaterThan(150);
      expect(modifiers).toBeGreaterThan(40);
    });

    it.each(['listLocations', 'listProfiles', 'listPayModifiers', 'listBadges'] as const)(
      '%s knows nobody by an unknown key',
      async (operation) => {
        for (const scope of [admin, reader]) {
          expect((await refusal(store[operation](scope, 'nobody'))).code).toBe('not_found');
        }
      },
    );
  });

  describe(`${name}: writes`, () => {
    let store: StaffStore;
    let key: string;
    beforeEach(async () => {
      store = await openSeeded(12);
      key = String((await list(store, admin, '$orderby=StaffId desc&$top=1'))[0]?.StaffKey);
      return () => store.close();
    });
    const read = async (includes: string[] = [], staffKey = key) =>
      JSON.parse(await store.readStaff(admin, staffKey, parse('', includes))) as StaffMember;
    const faultsOf = async (work: Promise<unknown>) => {
      const { code, errors } = await refusal(work);
      expect(code).toBe('validation_failed');
      return errors.map((fault) => fault.pointer);
    };

    describe('createStaff', () => {
      it('adds a person with what is sent, and CHANGEME for names that are not', async () => {
        const body = { StaffId: 'S-9', Fte: 0.5, StartDate: '2026-01-02', TimeClockKioskPIN: '4711' };
        const { staffKey, isNew, json } = await store.createStaff(writer, body);
        expect([staffKey, isNew]).toEqual(['new-1', true]);
        expect(JSON.parse(json)).toMatchObject({
          ...{ CompKey: demo, StaffKey: 'new-1', StaffId: 'S-9', Fte: 0.5, StartDate: '2026-01-02T00:00:00' },
          ...{ FirstName: 'CHANGEME', LastName: 'CHANGEME', Abbrev: 'CHANGEME', IsActive: true, Npi: null },
          LastModifiedDateUtc: `${now}Z`,
        });
        expect(json).not.toContain('4711');
        expect(await store.readStaff(admin, 'new-1', plainQuery)).toBe(json);
      });

      it('refuses a StaffId that is taken', async () => {
        const { StaffId } = await read();
        const { code, errors } = await refusal(store.createStaff(writer, { StaffId: String(StaffId) }));
        expect([code, errors[0]?.pointer]).toEqual(['conflict', '/StaffId']);
      });

      it('with UpdateIfExisting changes the person who has the StaffId, and only what is sent', async () => {
        const before = await read();
        const body = { StaffId: String(before.StaffId), City: 'Łódź', UpdateIfExisting: true };
        const written = await store.createStaff(writer, body);
        expect([written.staffKey, written.isNew]).toEqual([key, false]);
        expect(JSON.parse(written.json)).toEqual({ ...before, City: 'Łódź', LastModifiedDateUtc: `${now}Z` });
      });

      it('lets one of many win who create the same person at once', async () => {
        const tries = Array.from({ length: 10 }, () => store.createStaff(writer, { StaffId: 'S-9' }));
        const outcomes = await Promise.allSettled(tries);
        expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
        expect(await list(store, admin, "$filter=StaffId eq 'S-9'")).toHaveLength(1);
      });
    });

    describe('updateStaff', () => {
      it('changes what is sent, clears what is null, and leaves the rest', async () => {
        const before = await read();
        const changes = {
          FirstName: 'Zoë',
          Fte: null,
          IsActive: false,
          DeactivationDateUtc: '2026-12-01T01:00:00+01:00',
        };
        const after = JSON.parse(await store.updateStaff(writer, key, changes));
        const expected = { ...changes, DeactivationDateUtc: '2026-12-01T00:00:00Z', LastModifiedDateUtc: `${now}Z` };
        expect(after).toEqual({ ...before, ...expected });
      });

      it('takes back exactly what it gave', async () => {
        const before = await read();
        const { CompKey: _c, StaffKey: _k, SourceOfLogin: _s, LastModifiedDateUtc: _m, ...rest } = before;
        const { UserLastLoginDateTimeUtc: _l, Tags: _t, TTCMTags: _tt, Skillset: _sk, ...more } = rest;
        const { Profiles: _p, AvailableProfiles: _a, BadgeIds: _b, ...body } = more;
        expect(JSON.parse(await store.updateStaff(writer, key, body))).toEqual(before);
        expect((await store.listAudit(demo, 1))[0]?.changedFields).toEqual([]);
      });

      it('refuses the StaffId of another', async () => {
        const [other] = await list(store, admin, '$orderby=StaffId&$top=1');
        const { code } = await refusal(store.updateStaff(writer, key, { StaffId: String(other?.StaffId) }));
        expect(code).toBe('conflict');
      });

      it('refuses a date that no calendar has, a manager who is nobody and a foreign name for one, together', async () => {
        const body = { StartDate: '2026-02-31', ManagerId: 'nobody', Manager: 'Somebody Else' };
        expect(await faultsOf(store.updateStaff(writer, key, body))).toEqual(['/StartDate', '/ManagerId', '/Manager']);
      });

      it('carries a new name of a manager to the reports', async () => {
        const manager = (await list(store, admin, '$orderby=StaffId&$top=1'))[0] as StaffMember;
        await store.setManager(writer, key, { ManagerId: String(manager.StaffId) });
        const changes = { FirstName: 'Jörg', LastName: "O'Neil", StaffId: 'S-77' };
        await store.updateStaff(writer, String(manager.StaffKey), changes);
        expect(await read()).toMatchObject({ Manager: "Jörg O'Neil", ManagerId: 'S-77' });
      });
    });

    describe('setManager', () => {
      const created = async (StaffId: string) => (await store.createStaff(writer, { StaffId })).staffKey;

      it('sets by StaffId or by key, and clears', async () => {
        const boss = await created('S-boss');
        const byId = JSON.parse(await store.setManager(writer, key, { ManagerId: 'S-boss' }));
        expect(byId).toMatchObject({ ManagerId: 'S-boss', Manager: 'CHANGEME CHANGEME' });
        expect(JSON.parse(await store.setManager(writer, key, { IsClearManagerId: true }))).toMatchObject({
          ManagerId: null,
          Manager: null,
        });
        expect(JSON.parse(await store.setManager(writer, key, { ManagerKey: boss }))).toMatchObject({
          ManagerId: 'S-boss',
        });
      });

      it('refuses nobody, oneself, and a circle however long', async () => {
        const [a, b, c] = [await created('a'), await created('b'), await created('c')];
        await store.setManager(writer, b, { ManagerKey: a });
        await store.setManager(writer, c, { ManagerKey: b });
        expect(await faultsOf(store.setManager(writer, a, { ManagerKey: c }))).toEqual(['/ManagerKey']);
        expect(await faultsOf(store.setManager(writer, a, { ManagerId: 'a' }))).toEqual(['/ManagerId']);
        expect(await faultsOf(store.setManager(writer, a, { ManagerId: 'nobody' }))).toEqual(['/ManagerId']);
      });

      it('refuses somebody of another company', async () => {
        const stranger = { companyKey: otherCompany, isAdmin: true };
        const [foreign] = await list(store, stranger, '$top=1');
        const work = store.setManager(writer, key, { ManagerKey: String(foreign?.StaffKey) });
        expect(await faultsOf(work)).toEqual(['/ManagerKey']);
      });
    });

    describe('addTag', () => {
      const tagOf = async (category: string) =>
        (await read(['Tags'])).Tags?.find((one) => one.CategoryName === category)?.Tags ?? [];

      it('adds by name from the date given, and answers with the category', async () => {
        const body = { category: 'Team', name: 'Gold', effectiveDate: '2027-03-01' };
        const answer = JSON.parse(await store.addTag(writer, key, body)) as Schemas['StaffTag'];
        const period = { EffectiveFromDate: '2027-03-01T00:00:00', EffectiveToDate: '2100-01-01T00:00:00' };
        expect(answer).toMatchObject({ CategoryName: 'Team', CategoryKey: expect.any(Number) });
        expect(answer.Tags).toContainEqual({ Key: expect.any(Number), Name: 'Gold', ...period });
        expect(await tagOf('Team')).toEqual(answer.Tags);
      });

      it('adds by key from today, and again without a second entry', async () => {
        const first = JSON.parse(await store.addTag(writer, key, { category: 'Team', name: 'Gold' }));
        const TagKey = first.Tags.find((tag: Schemas['TagEntry']) => tag.Name === 'Gold').Key as number;
        expect(JSON.parse(await store.addTag(writer, key, { TagKey }))).toEqual(first);
        const gold = (await tagOf('Team')).filter((tag) => tag.Name === 'Gold');
        expect(gold).toMatchObject([{ EffectiveFromDate: '2026-11-21T00:00:00' }]);
      });

      it('keeps time clock tags apart', async () => {
        const answer = JSON.parse(await store.addTag(writer, key, { category: 'Time Clock', name: 'On call' }));
        const { Tags, TTCMTags } = await read(['Tags']);
        expect(TTCMTags).toContainEqual(answer);
        expect(Tags?.map((one) => one.CategoryName)).not.toContain('Time Clock');
      });

      it('refuses what the company does not have, naming the part', async () => {
        expect(await faultsOf(store.addTag(writer, key, { category: 'No', name: 'Gold' }))).toEqual(['/category']);
        expect(await faultsOf(store.addTag(writer, key, { category: 'Team', name: 'No' }))).toEqual(['/name']);
        expect(await faultsOf(store.addTag(writer, key, { TagKey: 10_000 }))).toEqual(['/TagKey']);
      });
    });

    describe('addLocationTag', () => {
      const locations = async () => JSON.parse(await store.listLocations(admin, key)) as Schemas['StaffLocation'][];
      const put = async (tagName: string, effectiveDate: string) => {
        const locationKey = String((await locations())[0]?.Location.LocationKey);
        const body = { categoryName: 'Employment', tagName, effectiveDate };
        const answer = JSON.parse(await store.addLocationTag(writer, key, locationKey, body));
        return answer.Tags.find((one: Schemas['StaffTag']) => one.CategoryName === 'Employment').Tags.map(
          (tag: Schemas['TagEntry']) => [
            tag.Name,
            tag.EffectiveFromDate?.slice(0, 4),
            tag.EffectiveToDate?.slice(0, 4),
          ],
        );
      };

      it('lets a tag follow the one before it, and end where the next begins', async () => {
        await put('Full time', '2010-01-01');
        await put('Part time', '2030-01-01');
        const tags = await put('Per diem', '2027-01-01');
        expect(tags).toContainEqual(['Part time', '2030', '2100']);
        expect(tags).toContainEqual(['Per diem', '2027', '2030']);
        expect(tags).toContainEqual(['Full time', '2010', expect.not.stringMatching('2100')]);
      });

      it('does not find a location that the person does not have', async () => {
        const body = { categoryName: 'Employment', tagName: 'Full time' };
        expect((await refusal(store.addLocationTag(writer, key, 'nowhere', body))).code).toBe('not_found');
      });
    });

    describe('skillset', () => {
      const anyTask = async () => {
        for (const { Skillset } of await list(store, admin, '$expand=Skillset')) {
          if (Skillset?.[0] !== undefined) return String(Skillset[0].TaskKey);
        }
        throw new Error('Nobody has a skill.');
      };

      it('sets the days that are sent and leaves the others', async () => {
        const task = await anyTask();
        const { staffKey } = await store.createStaff(writer, { StaffId: 'S-9', FirstName: 'Ada' });
        const first = JSON.parse(
          await store.setSkillset(writer, staffKey, task, { IsSkilledMon: true, MonOccurrence: 'Weekly' }),
        );
        expect(first).toMatchObject({
          StaffFirstName: 'Ada',
          TaskKey: task,
          IsSkilledMon: true,
          IsSkilledTue: false,
          TueOccurrence: null,
        });
        const second = JSON.parse(await store.setSkillset(writer, staffKey, task, { IsSkilledTue: true }));
        expect(second).toEqual({ ...first, IsSkilledTue: true });
        expect((await read(['Skillset'], staffKey)).Skillset).toEqual([second]);
      });

      it('removes once, and then does not find it', async () => {
        const task = await anyTask();
        await store.setSkillset(writer, key, task, { IsSkilledMon: true });
        await store.removeSkillset(writer, key, task);
        expect((await read(['Skillset'])).Skillset?.map((one) => one.TaskKey)).not.toContain(task);
        expect((await refusal(store.removeSkillset(writer, key, task))).code).toBe('not_found');
      });

      it('does not find a task that the company does not have', async () => {
        const work = store.setSkillset(writer, key, 'no-task', { IsSkilledMon: true });
        expect((await refusal(work)).code).toBe('not_found');
      });
    });

    describe('setProfile', () => {
      it('gives a profile, viewable and not schedulable, and changes what is sent', async () => {
        const { staffKey } = await store.createStaff(writer, { StaffId: 'S-9' });
        const [profile] = (await read(['AvailableProfiles'])).AvailableProfiles ?? [];
        const profileKey = String(profile?.ProfileKey);
        const given = JSON.parse(await store.setProfile(writer, staffKey, profileKey, {}));
        expect(given).toEqual({ Name: profile?.Name, ProfileKey: profileKey, IsViewable: true, IsSchedulable: false });
        await store.setProfile(writer, staffKey, profileKey, { IsSchedulable: true });
        const changed = JSON.parse(await store.setProfile(writer, staffKey, profileKey, {}));
        expect(changed).toEqual({ ...given, IsSchedulable: true });
        expect(JSON.parse(await store.listProfiles(admin, staffKey))).toEqual([changed]);
      });

      it('does not find a profile that the company does not have', async () => {
        expect((await refusal(store.setProfile(writer, key, 'no-profile', {}))).code).toBe('not_found');
      });
    });

    describe('pay modifiers', () => {
      const region = { LocationTagCategory: 'Region', LocationTagName: 'North' };
      const create = async (body: Schemas['PayModifierRequest']) =>
        JSON.parse(await store.createPayModifier(writer, key, body)) as Schemas['PayModifier'];

      it('creates, changes what is sent, replaces the tags as a whole, and deletes', async () => {
        const tags = (await create({ ...region, StartDate: '2026-01-01' })) as Schemas['PayModifier'];
        expect(tags).toMatchObject({
          ...{ PayModifierKey: 'new-1', StaffMemberKey: key, CompanyKey: demo, TaskTagKey: null },
          ...{ LocationTagKey: expect.any(Number), StartDate: '2026-01-01T00:00:00', IsPrimaryPosition: false },
          PayModifierTagKeys: [],
        });
        const [CategoryKey, TagKey] = await keysOfTag('Team', 'Gold');
        const changes = { IsPrimaryPosition: true, PayModifierTags: [{ CategoryKey, TagKey }] };
        const changed = JSON.parse(await store.updatePayModifier(writer, key, 'new-1', changes));
        const carried = [{ CategoryKey, CategoryName: 'Team', TagKey, TagName: 'Gold' }];
        expect(changed).toEqual({ ...tags, IsPrimaryPosition: true, PayModifierTagKeys: carried });
        const cleared = { LocationTagCategory: null, LocationTagName: null, PayModifierTags: [] };
        expect(JSON.parse(await store.updatePayModifier(writer, key, 'new-1', cleared))).toMatchObject({
          ...{ LocationTagKey: null, PayModifierTagKeys: [] },
        });
        await store.deletePayModifier(writer, key, 'new-1');
        expect((await refusal(store.deletePayModifier(writer, key, 'new-1'))).code).toBe('not_found');
      });

      it('lists every fault: dates out of order, half a name, tags that are not there', async () => {
        const body = {
          ...{ StartDate: '2026-02-01', EndDate: '2026-01-01', LocationTagCategory: 'Region' },
          ...{
            TaskTagCategory: 'Shift type',
            TaskTagName: 'Never',
            PayModifierTags: [{ CategoryKey: 1, TagKey: 10_000 }],
          },
        };
        const pointers = ['/LocationTagName', '/TaskTagName', '/EndDate', '/PayModifierTags/0/TagKey'];
        expect(await faultsOf(store.createPayModifier(writer, key, body))).toEqual(pointers);
      });

      it('holds the order of dates against what is stored', async () => {
        await create({ StartDate: '2026-01-01', EndDate: '2026-06-01' });
        const work = store.updatePayModifier(writer, key, 'new-1', { StartDate: '2026-07-01' });
        expect(await faultsOf(work)).toEqual(['/StartDate']);
      });

      it('does not find the modifier of another person', async () => {
        await create({ StartDate: '2026-01-01' });
        const { staffKey } = await store.createStaff(writer, { StaffId: 'S-9' });
        for (const work of [
          store.updatePayModifier(writer, staffKey, 'new-1', { PositionId: 'P' }),
          store.deletePayModifier(writer, staffKey, 'new-1'),
        ]) {
          expect((await refusal(work)).code).toBe('not_found');
        }
      });

      async function keysOfTag(category: string, name: string): Promise<[number, number]> {
        const answer = JSON.parse(await store.addTag(writer, key, { category, name })) as Schemas['StaffTag'];
        return [Number(answer.CategoryKey), Number(answer.Tags?.find((tag) => tag.Name === name)?.Key)];
      }
    });

    it('leaves an audit row of each write, with names and never values', async () => {
      const operation = 'updateStaffMember';
      await store.updateStaff({ ...writer, operation }, key, { TimeClockKioskPIN: '4711', City: 'Bern' });
      expect(await store.listAudit(demo, 5)).toEqual([
        {
          ...{ atUtc: now, account: 'admin@demo.example', requestId: 'request-1', operation, staffKey: key },
          changedFields: ['TimeClockKioskPIN', 'City'],
        },
      ]);
    });

    it('leaves nothing behind of a write that is refused', async () => {
      const before = await read();
      await refusal(store.updateStaff(writer, key, { City: 'Bern', ManagerId: 'nobody' }));
      expect(await read()).toEqual(before);
      expect(await store.listAudit(demo, 5)).toEqual([]);
    });

    it('lets no account write to the people of another company', async () => {
      const scope = { ...writer, companyKey: otherCompany };
      const [before, task, profile] = [await read(), 'task-5', 'profile-4'];
      for (const work of [
        store.updateStaff(scope, key, { City: 'Bern' }),
        store.setManager(scope, key, { IsClearManagerId: true }),
        store.addTag(scope, key, { category: 'Team', name: 'Gold' }),
        store.addLocationTag(scope, key, 'loc-3', { categoryName: 'Team', tagName: 'Gold' }),
        store.setSkillset(scope, key, task, { IsSkilledMon: true }),
        store.removeSkillset(scope, key, task),
        store.setProfile(scope, key, profile, {}),
        store.createPayModifier(scope, key, { PositionId: 'P' }),
        store.updatePayModifier(scope, key, 'x', { PositionId: 'P' }),
        store.deletePayModifier(scope, key, 'x'),
      ]) {
        expect((await refusal(work)).code).toBe('not_found');
      }
      expect(await read()).toEqual(before);
      expect(await store.listAudit(demo, 5)).toEqual([]);
    });
  });
}

const parse = (query: string, includes: string[] = []) => parseStaffQuery(query, { includes, clock: Date.now });
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

async function list(store: StaffStore, scope: Scope, query: string, includes?: string[]): Promise<StaffMember[]> {
  const found = await store.listStaff(scope, parse(query, includes));
  const slices: string[] = [];
  for await (const slice of found.slices()) slices.push(slice);
  return JSON.parse(`[${slices.join(',')}]`);
}

async function refusal(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Problem);
  return outcome as Problem;
}
