import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from './callers.ts';
import { readOtherCompany } from './other-company.ts';
import { createRequests, requests } from './requests.ts';

describe.each(staffServers)('%s', (server) => {
  test.each(requests.filter(({ isWrite }) => isWrite))(
    '$operationId by an account that may only read is 403 and changes nothing',
    async ({ operationId }) => {
      const person = await createPerson(server);
      const request = createRequests(person.StaffKey).find((each) => each.operationId === operationId);
      const { method = '', path = '', json } = request ?? {};
      const { status, body } = await callAs(server, 'reader', path, { method, json });
      expect([status, body.code, body.kind]).toEqual([403, 'scope_missing', 'AuthorizationError']);
      expect((await callAs(server, 'admin', pathOf(person))).body).toEqual(person);
    },
  );

  test.each(['admin', 'reader'] as const)('the company of another is 403 to the %s', async (role) => {
    const other = await readOtherCompany(companyKey);
    const { status, body } = await callAs(server, role, `/v2/staffmember?companyKey=${other.companyKey}`);
    expect([status, body.code]).toEqual([403, 'company_forbidden']);
  });

  test('a company that does not exist is 403 as well, so that nobody learns which exist', async () => {
    const other = await readOtherCompany(companyKey);
    const known = await callAs(server, 'admin', `/v2/staffmember?companyKey=${other.companyKey}`);
    const unknown = await callAs(server, 'admin', '/v2/staffmember?companyKey=no-such-company');
    const told = ({ body: { request_id: _, ...rest } }: typeof known) => rest;
    expect(told(unknown)).toEqual(told(known));
  });

  test('no filter reaches into another company', async () => {
    const other = await readOtherCompany(companyKey);
    const filters = [
      `StaffKey eq '${other.staffKey.replaceAll("'", "''")}'`,
      `CompKey eq '${other.companyKey}'`,
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
