import { expect, test } from 'vitest';
import type { staffServers } from '../server-names.ts';
import { callAs, companyKey } from '../staff/callers.ts';
import { unchangedPeople } from '../staff/known-keys.ts';

const path = `/v2/staffmember?companyKey=${companyKey}&$filter=${unchangedPeople}&$select=StaffKey,LastName&$expand=Tags`;
const read = (server: (typeof staffServers)[number], accept: string) =>
  callAs(server, 'reader', path, { headers: { Accept: accept } });

test('listStaffMembers 200: the scheduling API returns the list as NDJSON and CSV', async () => {
  const { body } = await read('scheduling', 'application/json');
  const lines = await read('scheduling', 'application/x-ndjson');
  expect([lines.status, lines.headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson']);
  expect(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(body);
  const csv = await read('scheduling', 'text/csv, */*;q=0.1');
  expect([csv.status, csv.headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const rows = csv.text.split('\r\n');
  expect([rows[0], rows.length]).toEqual(['StaffKey,LastName,Tags,TTCMTags', body.length + 2]);
  expect(rows[1]).toBe(`${body[0].StaffKey},${body[0].LastName},"[]","[]"`);
});

test.each(['text/csv', 'application/x-ndjson', 'text/csv, application/json;q=0.1'])(
  'listStaffMembers 200: the proxy returns JSON for Accept %s, without what a key may not see',
  async (accept) => {
    const { status, headers, body } = await read('staff-proxy', accept);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json']);
    expect(body).toEqual((await read('scheduling', 'application/json')).body);
    for (const { Tags, TTCMTags } of body) expect([Tags, TTCMTags]).toEqual([[], []]);
  },
);
