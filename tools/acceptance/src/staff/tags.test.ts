import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';
import { changedPeople } from './known-keys.ts';

interface Category {
  readonly CategoryName: string;
  readonly Tags: readonly { readonly Key: number; readonly Name: string; readonly EffectiveFromDate: string }[];
}
const named = (tags: readonly Category[]) =>
  tags.flatMap(({ CategoryName, Tags }) => Tags.map(({ Name }) => `${CategoryName}: ${Name}`));

describe.each(staffServers)('%s', (server) => {
  const post = (path: string, json: unknown) => callAs(server, 'admin', path, { method: 'POST', json });
  const tagsOf = async (person: { StaffKey: string }): Promise<Category[]> =>
    (await callAs(server, 'admin', pathOf(person, '?$expand=Tags'))).body.Tags;

  test('addStaffTag 201: returns the changed category, and the person has the tag', async () => {
    const person = await createPerson(server);
    expect(await tagsOf(person)).toEqual([]);
    const json = { category: 'Team', name: 'Blue', effectiveDate: '2026-02-03T00:00:00' };
    const { status, body } = await post(pathOf(person, '/tag'), json);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      CategoryName: 'Team',
      Tags: [{ Name: 'Blue', EffectiveFromDate: json.effectiveDate }],
    });
    expect(named(await tagsOf(person))).toEqual(['Team: Blue']);
  });

  test('addStaffTag 201: accepts the key of a tag instead of its name', async () => {
    const [one, other] = [await createPerson(server), await createPerson(server)];
    const { body } = await post(pathOf(one, '/tag'), { category: 'Language', name: '中文' });
    const byKey = await post(pathOf(other, '/tag'), { TagKey: body.Tags[0].Key });
    expect([byKey.status, byKey.body.CategoryName, byKey.body.Tags[0].Name]).toEqual([201, 'Language', '中文']);
    expect(named(await tagsOf(other))).toEqual(['Language: 中文']);
  });

  test('addStaffLocationTag 200: returns the location with the new tag', async () => {
    const query = { $filter: changedPeople, $skip: server === 'scheduling' ? '10' : '11', $top: '1' };
    const [person] = (await list(server, 'admin', query)).body;
    const [first] = (await callAs(server, 'admin', pathOf(person, '/location'))).body;
    const path = pathOf(person, `/location/${encodeURIComponent(first.Location.LocationKey)}/tag`);
    for (const tagName of ['Green', 'Gold']) {
      const json = { categoryName: 'Team', tagName };
      const { status, body } = await callAs(server, 'admin', path, { method: 'PUT', json });
      expect([status, body.Location.LocationKey]).toEqual([200, first.Location.LocationKey]);
      expect(named(body.Tags)).toContain(`Team: ${tagName}`);
      const [now] = (await callAs(server, 'admin', pathOf(person, '/location'))).body;
      expect(now.Tags).toEqual(body.Tags);
    }
  });

  test('listStaffLocations 200: returns the locations of the person, without tags for the reader', async () => {
    const [person] = (await list(server, 'reader', { $filter: "startswith(StaffId,'S-')", $top: '1' })).body;
    const { status, body } = await callAs(server, 'reader', pathOf(person, '/location'));
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(0);
    for (const { Staff, Location, Tags } of body) {
      expect([Staff.StaffKey, Location.CompanyKey]).toEqual([person.StaffKey, person.CompKey]);
      expect([Tags, Staff.Tags, Location.Tags]).toEqual([[], [], []]);
    }
  });
});
