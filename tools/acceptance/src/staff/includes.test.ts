import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from './callers.ts';
import { unchangedPeople } from './known-keys.ts';

const collections = ['Tags', 'TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];

describe.each(staffServers)('%s', (server) => {
  const filled = (person: Record<string, unknown>) => collections.filter((name) => person[name] !== null);

  test.each([
    ['Skillset', ['Skillset']],
    ['Profiles,AvailableProfiles', ['Profiles', 'AvailableProfiles']],
    ['Tags', ['Tags', 'TTCMTags']],
  ])(
    'listStaffMembers includes: fills %s in the list and in the single read and leaves the others null',
    async (includes, names) => {
      const [person] = (await list(server, 'admin', { includes, $filter: unchangedPeople, $top: '1' })).body;
      expect(filled(person)).toEqual(names);
      expect((await callAs(server, 'admin', pathOf(person, `?includes=${includes}`))).body).toEqual(person);
    },
  );

  test('listStaffMembers includes: fills both when given twice', async () => {
    const path = `/v2/staffmember?companyKey=${companyKey}&$top=1&includes=Skillset&includes=Profiles`;
    const { status, body } = await callAs(server, 'admin', path);
    expect([status, filled(body[0])]).toEqual([200, ['Skillset', 'Profiles']]);
  });

  test('getStaffMember includes: BadgeIds is only for the single read', async () => {
    const [person] = (await list(server, 'admin', { $top: '1' })).body;
    const read = await callAs(server, 'admin', pathOf(person, '?includes=BadgeIds'));
    expect([read.status, filled(read.body)]).toEqual([200, ['BadgeIds']]);
    expect((await list(server, 'admin', { includes: 'BadgeIds' })).status).toBe(400);
  });

  test.each(['', 'Everything', 'Tags,', 'tags'])('listStaffMembers includes: %s is 400', async (includes) => {
    const { status, body } = await list(server, 'admin', { includes });
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'includes']);
  });

  test('getStaffMember $select: returns only selected, expanded and included members, also in the list', async () => {
    const { body } = await list(server, 'admin', { $select: 'StaffKey,Fte', $expand: 'Skillset', $top: '3' });
    for (const person of body) expect(Object.keys(person).sort()).toEqual(['Fte', 'Skillset', 'StaffKey']);
    const read = await callAs(server, 'admin', pathOf(body[0], '?$select=LastName&$expand=Tags'));
    expect(read.body).toMatchObject({ LastName: expect.any(String), Tags: expect.any(Array) });
    expect(read.body).not.toHaveProperty('StaffKey');
  });

  test('listStaffMembers dateFormat: is accepted and has no effect', async () => {
    const some = { $filter: unchangedPeople, $top: '5' };
    const plain = await list(server, 'reader', some);
    const formatted = await list(server, 'reader', { ...some, dateFormat: 'yyyy-MM-dd' });
    expect([formatted.status, formatted.body]).toEqual([200, plain.body]);
  });

  test('getStaffMember dateFormat: is accepted and has no effect', async () => {
    const person = await createPerson(server, { StartDate: '2024-02-29T00:00:00' });
    const { status, body } = await callAs(server, 'reader', pathOf(person, '?dateFormat=dd/MM/yyyy'));
    expect([status, body.StartDate]).toEqual([200, '2024-02-29T00:00:00']);
  });

  test('listStaffMembers sinceModifiedTimestamp: returns only people changed at or after that time', async () => {
    const { LastModifiedDateUtc, StaffKey } = await createPerson(server);
    const keysSince = async (sinceModifiedTimestamp: string) => {
      const { status, body } = await list(server, 'reader', { sinceModifiedTimestamp, $select: 'StaffKey' });
      expect(status, sinceModifiedTimestamp).toBe(200);
      return body.map((each: { StaffKey: string }) => each.StaffKey);
    };
    expect(await keysSince(LastModifiedDateUtc)).toContain(StaffKey);
    expect(await keysSince(LastModifiedDateUtc.replace('Z', ''))).toContain(StaffKey);
    expect(await keysSince('2000-01-01')).toContain(StaffKey);
    expect(await keysSince('2099-01-01T00:00:00Z')).toEqual([]);
  });

  test.each(['yesterday', '2026-13-01', '2026-02-30', '', '2026-01-01T25:00:00'])(
    'listStaffMembers sinceModifiedTimestamp: %s is 400',
    async (sinceModifiedTimestamp) => {
      const { status, body } = await list(server, 'reader', { sinceModifiedTimestamp });
      expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'sinceModifiedTimestamp']);
    },
  );

  test('getStaffMember sinceModifiedTimestamp: is accepted and has no effect', async () => {
    const person = await createPerson(server);
    const path = pathOf(person, '?sinceModifiedTimestamp=2099-01-01T00:00:00Z');
    expect((await callAs(server, 'reader', path)).body).toEqual(person);
  });
});
