import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, otherCompanyKey, pathOf } from './callers.ts';
import { createRequests, writesThatAnswer } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  test.each(writesThatAnswer(403))(
    '$operationId 403: rejects a read-only account and changes nothing',
    async ({ operationId }) => {
      const person = await createPerson(server);
      const request = createRequests(person.StaffKey).find((each) => each.operationId === operationId);
      const { method = '', path = '', json } = request ?? {};
      const { status, body } = await callAs(server, 'reader', path, { method, json });
      expect([status, body.code, body.kind]).toEqual([403, 'scope_missing', 'AuthorizationError']);
      expect((await callAs(server, 'admin', pathOf(person))).body).toEqual(person);
    },
  );

  test.each(['admin', 'reader'] as const)(
    'rule methods of a caller: OPTIONS lists in Allow what the %s may do',
    async (role) => {
      const allowed = async (path: string) =>
        (await callAs(server, role, path, { method: 'OPTIONS' })).headers.get('Allow');
      const mayWrite = role === 'admin';
      expect(await allowed('/v2/staffmember/any/tag')).toBe(mayWrite ? 'OPTIONS, POST' : 'OPTIONS');
      expect(await allowed('/v2/staffmember/any')).toBe(`GET, HEAD, OPTIONS${mayWrite ? ', PUT' : ''}`);
    },
  );

  test.each(['admin', 'reader'] as const)(
    'listStaffMembers 403: rejects the companyKey of another company for the %s',
    async (role) => {
      const { status, body } = await callAs(server, role, `/v2/staffmember?companyKey=${otherCompanyKey}`);
      expect([status, body.code]).toEqual([403, 'company_forbidden']);
    },
  );

  test('listStaffMembers 403: the response for an unknown company is the same', async () => {
    const known = await callAs(server, 'admin', `/v2/staffmember?companyKey=${otherCompanyKey}`);
    const unknown = await callAs(server, 'admin', '/v2/staffmember?companyKey=no-such-company');
    const withoutId = ({ body: { request_id: _, ...rest } }: typeof known) => rest;
    expect(withoutId(unknown)).toEqual(withoutId(known));
  });

  test('rule no other company: no filter finds its people', async () => {
    const [theirs] = (await list(server, 'otherCompany', { $top: '1' })).body;
    const filters = [
      `StaffKey eq '${theirs.StaffKey.replaceAll("'", "''")}'`,
      `CompKey eq '${otherCompanyKey}'`,
      `CompKey ne '${companyKey}' or true`,
    ];
    for (const $filter of filters) {
      const { status, body } = await list(server, 'admin', { $filter, $select: 'CompKey' });
      expect(status, $filter).toBe(200);
      expect(
        body.filter(({ CompKey }: { CompKey: string }) => CompKey !== companyKey),
        $filter,
      ).toEqual([]);
    }
  });
});
