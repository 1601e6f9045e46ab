import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { staffServers } from '../../server-names.ts';
import { callAs, companyKey, createPerson, pathOf, type Role } from '../callers.ts';

const minimal = 'application/json;odata.metadata=minimal';

interface Change {
  readonly StaffKey: string;
}

describe.each(staffServers)('%s', (server) => {
  const follow = (link: string, role: Role = 'admin', Prefer = '') =>
    callAs(server, role, `/v2/${link}`, { headers: { Accept: minimal, Prefer } });
  const track = (options: Record<string, string>, role: Role = 'admin') =>
    follow(`staffmember?${new URLSearchParams({ companyKey, ...options })}`, role, 'odata.track-changes');

  /** Reads a round of changes; other tests change people meanwhile. */
  async function readRound(link: string, people: readonly Change[]) {
    const keys = new Set(people.map(({ StaffKey }) => StaffKey));
    const changes: Change[] = [];
    for (let next = link; ; ) {
      const { status, body } = await follow(next, 'admin', 'maxpagesize=2');
      expect([status, body.value.length < 3]).toEqual([200, true]);
      changes.push(...body.value.filter(({ StaffKey }: Change) => keys.has(StaffKey)));
      next = body['@odata.nextLink'];
      if (next === undefined) return { changes, link: String(body['@odata.deltaLink']) };
    }
  }

  test('listStaffMembers $deltatoken: the changes of a list with a filter, and those who have left it', async () => {
    const City = `Town ${randomUUID()}`;
    const [a, b, c] = [
      await createPerson(server, { LastName: 'A', City }),
      await createPerson(server, { LastName: 'B', City }),
      await createPerson(server, { LastName: 'C', City }),
    ];
    const people = [a, b, c];
    const first = await track({ $filter: `City eq '${City}'`, $select: 'LastName', $expand: 'Tags' });
    expect(first.headers.get('Preference-Applied')).toBe('odata.track-changes');
    expect(first.body.value).toHaveLength(3);
    const tag = { category: 'Specialty', name: 'Cardiology' };
    expect((await callAs(server, 'admin', pathOf(a, '/tag'), { method: 'POST', json: tag })).status).toBe(201);
    await callAs(server, 'admin', pathOf(b), { method: 'PUT', json: { City: null } });
    await callAs(server, 'admin', pathOf(c), { method: 'PUT', json: { LastName: 'D' } });
    const { changes, link } = await readRound(first.body['@odata.deltaLink'], people);
    const tagged = [expect.objectContaining({ CategoryName: 'Specialty' })];
    expect(changes).toHaveLength(3);
    expect(changes).toEqual(
      expect.arrayContaining([
        { StaffKey: a.StaffKey, LastName: 'A', Tags: tagged, TTCMTags: [] },
        { '@removed': { reason: 'changed' }, StaffKey: b.StaffKey },
        { StaffKey: c.StaffKey, LastName: 'D', Tags: [], TTCMTags: [] },
      ]),
    );
    expect((await readRound(link, people)).changes).toEqual([]);
  });

  test('listStaffMembers $deltatoken: one that no link contained, and one of another query, is 400', async () => {
    const link: string = (await track({ $filter: 'false' }, 'reader')).body['@odata.deltaLink'];
    for (const changed of [link.replace(/token=.*/, 'token=AAAA'), link.replace('false', 'true')]) {
      const { status, body } = await follow(changed, 'reader');
      expect([status, body.code]).toEqual([400, 'odata_invalid']);
    }
  });

  test('listStaffMembers 410: a token of a state that the database never had, as after a restored backup', async () => {
    const link: string = (await track({ $filter: 'false' }, 'reader')).body['@odata.deltaLink'];
    const [path, token = ''] = link.split('$deltatoken=');
    const fields = JSON.parse(Buffer.from(token, 'base64url').toString());
    const later = Buffer.from(JSON.stringify(fields.with(1, '2999-01-01T00:00:00'))).toString('base64url');
    const { status, body } = await follow(`${path}$deltatoken=${later}`, 'reader');
    expect([status, body.code]).toEqual([410, 'changes_gone']);
    expect(body.detail).toContain('Prefer: odata.track-changes');
  });
});
