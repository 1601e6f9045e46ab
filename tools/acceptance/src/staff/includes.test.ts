import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, list, pathOf } from './callers.ts';

const collections = ['Tags', 'TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];

describe.each(staffServers)('%s', (server) => {
  const filled = (person: Record<string, unknown>) => collections.filter((name) => person[name] !== null);

  test.each([
    ['Skillset', ['Skillset']],
    ['Profiles,AvailableProfiles', ['Profiles', 'AvailableProfiles']],
    ['Tags', ['Tags', 'TTCMTags']],
  ])('includes=%s fills that in list and single read, the others are null', async (includes, names) => {
    const [person] = (await list(server, 'admin', { includes, $top: '1' })).body;
    expect(filled(person)).toEqual(names);
    expect((await callAs(server, 'admin', pathOf(person, `?includes=${includes}`))).body).toEqual(person);
  });

  test('includes=BadgeIds is for the single read alone', async () => {
    const [person] = (await list(server, 'admin', { $top: '1' })).body;
    const read = await callAs(server, 'admin', pathOf(person, '?includes=BadgeIds'));
    expect([read.status, filled(read.body)]).toEqual([200, ['BadgeIds']]);
    expect((await list(server, 'admin', { includes: 'BadgeIds' })).status).toBe(400);
  });

  test.each(['', 'Everything', 'Tags,', 'tags'])('includes=%s is 400', async (includes) => {
    const { status, body } = await list(server, 'admin', { includes });
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'includes']);
  });

  test('with $select only what is named, expanded or included is present', async () => {
    const { body } = await list(server, 'admin', { $select: 'StaffKey,Fte', $expand: 'Skillset', $top: '3' });
    for (const person of body) expect(Object.keys(person).sort()).toEqual(['Fte', 'Skillset', 'StaffKey']);
    const read = await callAs(server, 'admin', pathOf(body[0], '?$select=LastName&$expand=Tags'));
    expect(read.body).toMatchObject({ LastName: expect.any(String), Tags: expect.any(Array) });
    expect(read.body).not.toHaveProperty('StaffKey');
  });

  test('what the clients of the vendor send besides is taken', async () => {
    const path = `/v2/staffmember?companyKey=${companyKey}&$top=1&dateFormat=yyyy-MM-dd`;
    expect((await callAs(server, 'reader', path)).status).toBe(200);
    const since = await callAs(server, 'reader', `${path}&sinceModifiedTimestamp=2099-01-01T00:00:00Z`);
    expect([since.status, since.body]).toEqual([200, []]);
  });
});
