import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';

describe.each(staffServers)('%s', (server) => {
  const put = (path: string, json: unknown) => callAs(server, 'admin', path, { method: 'PUT', json });
  const skillsetOf = async (person: { StaffKey: string }) =>
    (await callAs(server, 'admin', pathOf(person, '?$expand=Skillset'))).body.Skillset;
  const profilesOf = async (person: { StaffKey: string }) =>
    (await callAs(server, 'admin', pathOf(person, '/profile'))).body;

  test('setStaffSkillset 200: adds a task, changes the sent days and leaves the others', async () => {
    const person = await createPerson(server);
    const path = pathOf(person, `/skillset/${await someTaskKey()}`);
    const first = await put(path, { IsSkilledMon: true, MonOccurrence: 'Weekly', IsSkilledSat: true });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ StaffId: person.StaffId, IsSkilledMon: true, IsSkilledSat: true });
    const second = await put(path, { IsSkilledSat: false });
    expect(second.body).toMatchObject({ IsSkilledMon: true, MonOccurrence: 'Weekly', IsSkilledSat: false });
    expect(await skillsetOf(person)).toEqual([second.body]);
  });

  test('removeStaffSkillset 200: removes the entry; a second removal is 404', async () => {
    const person = await createPerson(server);
    const path = pathOf(person, `/skillset/${await someTaskKey()}`);
    await put(path, { IsSkilledMon: true });
    const removed = await callAs(server, 'admin', path, { method: 'DELETE' });
    expect([removed.status, removed.body]).toEqual([200, {}]);
    expect(await skillsetOf(person)).toEqual([]);
    expect((await callAs(server, 'admin', path, { method: 'DELETE' })).status).toBe(404);
  });

  test('setStaffProfile 200: returns the entry, by default viewable and not schedulable', async () => {
    const person = await createPerson(server);
    const { ProfileKey, Name } = await someProfile();
    const path = pathOf(person, `/profile/${encodeURIComponent(ProfileKey)}`);
    const added = await put(path, {});
    expect([added.status, added.body]).toEqual([200, { ProfileKey, Name, IsViewable: true, IsSchedulable: false }]);
    const changed = await put(path, { IsSchedulable: true });
    expect(changed.body).toEqual({ ProfileKey, Name, IsViewable: true, IsSchedulable: true });
    expect(await profilesOf(person)).toEqual([changed.body]);
  });

  test('listStaffProfiles 200: returns the profiles to the admin and none to the reader', async () => {
    const [person] = (await list(server, 'admin', { $filter: 'Profiles/any()', $top: '1', $expand: 'Profiles' })).body;
    expect(await profilesOf(person)).toEqual(person.Profiles);
    const { status, body } = await callAs(server, 'reader', pathOf(person, '/profile'));
    expect([status, body]).toEqual([200, []]);
  });

  async function someTaskKey(): Promise<string> {
    const options = { $filter: 'Skillset/any()', $top: '1', $expand: 'Skillset' };
    return encodeURIComponent((await list(server, 'admin', options)).body[0].Skillset[0].TaskKey);
  }

  async function someProfile(): Promise<{ ProfileKey: string; Name: string }> {
    const options = { $filter: 'Profiles/any()', $top: '1', $expand: 'Profiles' };
    return (await list(server, 'admin', options)).body[0].Profiles[0];
  }
});
