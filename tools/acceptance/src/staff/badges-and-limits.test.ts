import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, createPerson, list, pathOf } from './callers.ts';

describe.each(staffServers)('%s', (server) => {
  const somePeople = async () =>
    (await list(server, 'reader', { $filter: "startswith(StaffId,'S-')", $top: '100', $select: 'StaffKey' })).body;

  test('listBadgeIds 200: returns the badges that the single read includes', async () => {
    const found: unknown[] = [];
    for (const person of (await somePeople()).slice(0, 10)) {
      const { status, body } = await callAs(server, 'reader', pathOf(person, '/badgeId'));
      expect(status).toBe(200);
      const included = (await callAs(server, 'admin', pathOf(person, '?includes=BadgeIds'))).body.BadgeIds;
      expect(included).toEqual(body);
      found.push(...body);
    }
    expect(found).toContainEqual({ BadgeId: expect.any(String), BadgeGroup: 'Main Hospital' });
    expect((await callAs(server, 'reader', pathOf(await createPerson(server), '/badgeId'))).body).toEqual([]);
  });

  test('listRequestLimits 200: returns the limits of the person, their parts null unless included', async () => {
    const people = (await somePeople()).slice(0, 20);
    const responses = await Promise.all(
      people.map((person: { StaffKey: string }) => callAs(server, 'reader', pathOf(person, '/requestlimit'))),
    );
    const at = responses.findIndex(({ body }) => body.length > 0);
    expect(at).toBeGreaterThanOrEqual(0);
    for (const limit of responses[at]?.body ?? [])
      expect([limit.ShiftCredits, limit.StaffLimits]).toEqual([null, null]);
    const path = pathOf(people[at], '/requestlimit?includes=ShiftsCredit,StaffLimits');
    const { status, body } = await callAs(server, 'reader', path);
    expect(status).toBe(200);
    for (const limit of body) {
      expect(limit.ShiftCredits.length).toBeGreaterThan(0);
      expect(limit.StaffLimits.length).toBeGreaterThan(0);
    }
  });

  test.each(['includes=', 'includes=Tags', 'includes=StaffLimits,'])(
    'listRequestLimits includes: ?%s is 400',
    async (query) => {
      const [person] = await somePeople();
      expect((await callAs(server, 'reader', pathOf(person, `/requestlimit?${query}`))).status).toBe(400);
    },
  );
});
