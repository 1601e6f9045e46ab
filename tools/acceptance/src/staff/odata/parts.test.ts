import { describe, expect, test } from 'vitest';
import type { TestResponse } from '../../call.ts';
import { staffServers } from '../../server-names.ts';
import { callAs, companyKey, createPerson, list, type Role } from '../callers.ts';
import { unchangedPeople } from '../known-keys.ts';

const $filter = unchangedPeople;
/** From S-1001 to S-1499. */
const count = 499;
const minimal = 'application/json;odata.metadata=minimal';

describe.each(staffServers)('%s', (server) => {
  const ask = (query: Record<string, string>, prefer: string, role: Role = 'reader') =>
    callAs(server, role, `/v2/staffmember?${new URLSearchParams({ companyKey, ...query })}`, {
      headers: { Accept: minimal, Prefer: prefer },
    });

  /** Follows the next links to the end with the same headers. */
  async function follow(first: TestResponse, prefer: string, role: Role = 'reader'): Promise<TestResponse[]> {
    const parts = [first];
    for (let link = first.body['@odata.nextLink']; link !== undefined; link = parts.at(-1)?.body['@odata.nextLink']) {
      expect(link).toMatch(/^staffmember\?/);
      expect(parts.length).toBeLessThan(1_100);
      parts.push(await callAs(server, role, `/v2/${link}`, { headers: { Accept: minimal, Prefer: prefer } }));
    }
    return parts;
  }

  test.each([
    '',
    '$orderby=LastName desc,Fte',
    '$orderby=Npi',
    '$orderby=tolower(FirstName) desc',
    '$top=250',
    '$skip=133&$orderby=City',
    '$skip=100&$top=300&$select=StaffId,City&$orderby=IsActive,StartDate desc',
    '$expand=Tags,Skillset($top=1)&$orderby=RegHours',
  ])('listStaffMembers $skiptoken: the parts form the whole list: %s', async (options) => {
    const query = { $filter, ...Object.fromEntries(new URLSearchParams(options)) };
    const whole = (await list(server, 'admin', query)).body;
    const prefer = 'maxpagesize=47';
    const parts = await follow(await ask(query, prefer, 'admin'), prefer, 'admin');
    expect(parts.map(({ status }) => status)).toEqual(parts.map(() => 200));
    expect(parts.length).toBe(Math.ceil(whole.length / 47));
    expect(parts.flatMap(({ body }) => body.value)).toEqual(whole);
  });

  test('listStaffMembers $skiptoken: no person is missed or repeated while others are added and removed', async () => {
    const query = { $filter, $orderby: 'LastName', $select: 'StaffKey' };
    const whole = (await list(server, 'reader', query)).body;
    const prefer = 'maxpagesize=200';
    const first = await ask(query, prefer);
    await createPerson(server, { LastName: 'Aaaa' });
    const parts = await follow(first, prefer);
    expect(parts.flatMap(({ body }) => body.value)).toEqual(whole);
  });

  test('listStaffMembers Prefer: is applied in the envelope and confirmed, and the count stays that of the whole list', async () => {
    for (const prefer of ['maxpagesize=10', 'odata.maxpagesize=10', 'respond-async, maxpagesize=10;x=1']) {
      const { status, headers, body } = await ask({ $filter, $count: 'true', $select: 'StaffKey' }, prefer);
      expect([status, body.value.length, body['@odata.count']], prefer).toEqual([200, 10, count]);
      expect(headers.get('Preference-Applied'), prefer).toMatch(/^(odata\.)?maxpagesize=10$/);
      expect(body['@odata.nextLink'], prefer).toMatch(/^staffmember\?.*skiptoken=/);
    }
  });

  test('listStaffMembers Prefer: a bare array is never cut, and other preferences are ignored', async () => {
    const path = `/v2/staffmember?${new URLSearchParams({ companyKey, $filter, $select: 'StaffKey' })}`;
    const bare = await callAs(server, 'reader', path, { headers: { Prefer: 'maxpagesize=10' } });
    expect([bare.body.length, bare.headers.get('Preference-Applied')]).toEqual([count, null]);
    const other = await ask({ $filter, $top: '3' }, 'return=minimal');
    expect([other.status, other.body.value.length, other.headers.get('Preference-Applied')]).toEqual([200, 3, null]);
  });

  test('listStaffMembers Prefer: $top limits the list regardless of the size of a part', async () => {
    const parts = await follow(await ask({ $filter, $top: '25' }, 'maxpagesize=10'), 'maxpagesize=10');
    expect(parts.map(({ body }) => body.value.length)).toEqual([10, 10, 5]);
    const one = await ask({ $filter, $top: '10' }, 'maxpagesize=10');
    expect(one.body['@odata.nextLink']).toBeUndefined();
  });

  test.each(['1', 'eyJhZnRlciI6IlMtMDA0MiJ9', 'AAAA', '%00', "x' or true"])(
    'listStaffMembers $skiptoken: one that no link contained is 400: %s',
    async (token) => {
      const { status, body } = await ask({ $filter, $skiptoken: token }, 'maxpagesize=10');
      expect([status, body.kind]).toEqual([400, 'ValidationError']);
    },
  );

  test('listStaffMembers $skiptoken: is valid only for its own query', async () => {
    const first = await ask({ $filter, $orderby: 'LastName' }, 'maxpagesize=10');
    const link = new URLSearchParams(first.body['@odata.nextLink'].split('?')[1]);
    for (const [name, value] of [
      ['$orderby', 'FirstName'],
      ['$filter', 'true'],
    ] as const) {
      const other = new URLSearchParams(link);
      other.set(name, value);
      const { status, body } = await callAs(server, 'reader', `/v2/staffmember?${other}`, {
        headers: { Accept: minimal, Prefer: 'maxpagesize=10' },
      });
      expect([status, body.kind], name).toEqual([400, 'ValidationError']);
    }
  });
});
