import { vendorRoutes } from '@rostergate/scheduling';
import { describe, expect, inject, test } from 'vitest';
import { companyKey, list, otherCompanyKey, pathOf } from '../staff/callers.ts';
import { company, useVendor } from './use-vendor.ts';

const vendor = useVendor();
const { credentials } = inject('servers');
const send = (method: string, path: string, json?: unknown) => vendor.as('admin', path, { method, json });
const changing = () => vendor.seen().filter(({ method }) => method !== 'GET');

describe('the formats of the vendor are used only for the vendor', () => {
  test.each([
    ['PUT', '/v2/staffmember', { Npi: '1', City: 'Oslo' }],
    ['DELETE', '/v2/staffmember/{}', undefined],
    ['POST', '/v2/staffmember/{}/badgeId', { CompanyKey: companyKey, BadgeId: '1', BadgeGroup: 'Main' }],
    ['DELETE', '/v2/staffmember/{}/badgeId', { CompanyKey: companyKey, BadgeId: '1', BadgeGroup: 'Main' }],
    ['POST', '/v2/staffmember/{}/location/x/tag', { categoryName: 'Team', tagName: 'Blue', companyKey }],
    ['DELETE', '/v2/staffmember/{}/location/x/tag?categoryName=Team&tagName=Blue', undefined],
    ['DELETE', '/v2/staffmember/{}/tag?category=Team&name=Blue', undefined],
    ['POST', '/v2/staffmember/{}/skillset', { taskId: 'x', IsSkilledMon: true }],
    ['POST', '/v2/staffmember/{}/profile', { UserProfileKey: 'x' }],
    ['PUT', `/v2/staffmember/{}/manager?companyKey=${company}&managerId=x`, { IsClearManagerId: false }],
  ])(
    'rule vendor’s forms stay outside: %s %s is 405, and the vendor hears nothing of it',
    async (method, path, json) => {
      const person = await vendor.person();
      const response = await send(method, path.replace('{}', encodeURIComponent(person.StaffKey)), json);
      expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed']);
      expect(response.headers.get('Allow')).not.toContain(method);
      expect(vendor.asked()).toEqual([]);
    },
  );

  test.each([
    ['POST', '/v2/staffmember', { StaffId: 'never-stored', CompanyKey: companyKey }],
    ['PUT', '/v2/staffmember/{}', { City: 'Oslo', CompanyKey: companyKey }],
    ['POST', '/v2/staffmember/{}/tag', { category: 'Team', name: 'Blue', companyKey }],
    ['PUT', '/v2/staffmember/{}/skillset/x', { IsSkilledMon: true, companyKey }],
    ['POST', '/v2/staffmember/{}/payModifier', [{ PositionId: 'P' }]],
    ['POST', `/v2/staffmember/{}/manager?companyKey=${company}&managerId=x`, undefined],
    ['GET', `/v2/staffmember/{}?CompanyKey=${company}`, undefined],
    ['GET', `/v2/staffmember/{}/location?companyKey=${company}`, undefined],
    ['GET', `/v2/staffmember/{}/requestlimit?CompanyKey=${company}`, undefined],
    ['DELETE', `/v2/staffmember/{}/payModifier/x?companyKey=${company}`, undefined],
    ['POST', '/v2/staffmember/{}/tag?dateFormat=dd/MM/yyyy', { category: 'Team', name: 'Blue' }],
  ])('rule vendor’s forms stay outside: %s %s with %j is 400', async (method, path, json) => {
    const person = await vendor.person();
    const response = await send(method, path.replace('{}', encodeURIComponent(person.StaffKey)), json);
    expect([response.status, response.body.kind]).toEqual([400, 'ValidationError']);
    expect(vendor.asked()).toEqual([]);
  });

  test.each(['StaffId', 'Email', 'Npi', 'BillSysId'])(
    'rule vendor’s forms stay outside: a person is not met by %s, which the vendor takes for the key',
    async (name) => {
      const own = `${name}-${Math.random()}`;
      const person = await vendor.person({ [name]: name === 'Email' ? `${own}@demo.example` : own });
      const path = `/v2/staffmember/${encodeURIComponent(person[name])}`;
      // The vendor itself accepts it and would change the person.
      expect((await direct('GET', `${path}?CompanyKey=${company}`)).status).toBe(200);
      const responses = [
        await send('GET', path),
        await send('PUT', path, { City: 'Oslo' }),
        await send('POST', `${path}/tag`, { category: 'Team', name: 'Blue' }),
        await send('GET', `${path}/payModifier`),
      ];
      expect(responses.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([404, 'not_found']));
      expect(changing()).toEqual([]);
      expect((await send('GET', pathOf(person))).body).toEqual(person);
    },
  );

  test('rule vendor’s forms stay outside: covers every route of the vendor beyond the contract', () => {
    const beside = vendorRoutes.filter(({ isBesideContract }) => isBesideContract);
    expect(beside.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /staffmember/{staffId}',
      'DELETE /staffmember/{staffId}/badgeId',
      'DELETE /staffmember/{staffId}/location/{locationId}/tag',
      'DELETE /staffmember/{staffId}/tag',
      'POST /staffmember/{staffId}/badgeId',
      'PUT /staffmember',
    ]);
  });
});

/** Returns the response of the vendor itself to its own admin. */
async function direct(method: string, path: string, json?: unknown): Promise<Response> {
  const login = await vendor.direct('/login', { method: 'POST', body: new URLSearchParams(adminLogin) });
  const { access_token } = (await login.json()) as { access_token: string };
  const headers = { Authorization: `bearer ${access_token}`, 'Content-Type': 'application/json' };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return vendor.direct(path.slice('/v2'.length), { method, headers, ...body });
}

const adminLogin = { email: credentials.SCHEDULING_ADMIN_EMAIL, password: credentials.SCHEDULING_ADMIN_PASSWORD };

describe('the vendor rejects the formats of the contract where it has its own', () => {
  test.each([
    [405, 'GET', '/badgeId', undefined],
    [405, 'GET', '/profile', undefined],
    [405, 'PUT', '/location/x/tag', { categoryName: 'Team', tagName: 'Blue' }],
    [405, 'POST', '/manager', { ManagerId: 'x' }],
    [400, 'POST', '/payModifier', { PositionId: 'P' }],
    [400, 'PUT', '', { City: 'Oslo' }],
    [400, 'GET', '', undefined],
  ])('responds %i to %s of a person’s %s', async (status, method, rest, json) => {
    const person = await vendor.person();
    expect((await direct(method, pathOf(person, rest), json)).status).toBe(status);
  });

  test('accepts a login only as a form', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const json = await vendor.direct('/login', { method: 'POST', headers, body: JSON.stringify(adminLogin) });
    expect(json.status).toBe(400);
    const wrong = new URLSearchParams({ ...adminLogin, password: 'not-the-password' });
    const rejected = await vendor.direct('/login', { method: 'POST', body: wrong });
    const error = { error: 'access_denied', error_description: 'Invalid email or password' };
    expect([rejected.status, await rejected.json()]).toEqual([401, error]);
    expect((await vendor.direct('/staffmember')).status).toBe(401);
  });
});

describe('operations that the vendor lacks', () => {
  test('updateStaffMember 501: rejects If-Match, because the vendor has no versions, and changes nothing', async () => {
    const person = await vendor.person();
    const headers = { 'If-Match': '"1"' };
    const response = await vendor.as('admin', pathOf(person), { method: 'PUT', json: { City: 'Oslo' }, headers });
    expect([response.status, response.body.code]).toEqual([501, 'not_implemented']);
    expect(response.body.detail).toContain('If-Match');
    expect(vendor.asked()).toEqual([]);
  });

  test('addStaffTag 501: rejects the key of a tag, because the vendor has only names, and adds nothing', async () => {
    const person = await vendor.person();
    const response = await send('POST', pathOf(person, '/tag'), { TagKey: 1 });
    expect([response.status, response.body.code]).toEqual([501, 'not_implemented']);
    expect(changing()).toEqual([]);
  });
});

describe('the guarantees of the proxy hold in front of the vendor', () => {
  test('rule no other company: another companyKey is 403 without a request to the vendor', async () => {
    const response = await send('GET', `/v2/staffmember?companyKey=${encodeURIComponent(otherCompanyKey)}`);
    expect([response.status, response.body.code]).toEqual([403, 'company_forbidden']);
    expect(vendor.asked()).toEqual([]);
  });

  test('rule no other company: a person of another company is 404', async () => {
    const [theirs] = (await list('scheduling', 'otherCompany', { $top: '1' })).body;
    const response = await send('GET', pathOf(theirs));
    expect([response.status, response.body.code]).toEqual([404, 'not_found']);
  });

  test('rule faults of the upstream: errors of the vendor keep their status, and their texts are not passed on', async () => {
    const person = await vendor.person();
    const responses = [
      await send('POST', pathOf(person, '/tag'), { category: 'No such', name: 'tag' }),
      await send('PUT', pathOf(person, '/skillset/no-such-task'), { IsSkilledMon: true }),
      await send('POST', '/v2/staffmember', { StaffId: person.StaffId }),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'validation_failed'],
      [404, 'not_found'],
      [409, 'conflict'],
    ]);
    for (const { text } of responses) expect(text).not.toContain('could not be processed');
  });

  test('rule a key or a token: the vendor receives the token of the account and never the key of the caller', async () => {
    await vendor.as('reader', '/v2/staffmember?$top=1');
    const [{ headers }] = vendor.seen() as [ReturnType<typeof vendor.seen>[number]];
    expect(headers.authorization).toMatch(/^bearer \S+$/);
    expect(JSON.stringify(headers)).not.toContain(credentials.STAFF_PROXY_KEY);
    expect(headers).not.toHaveProperty('x-api-key');
  });
});
