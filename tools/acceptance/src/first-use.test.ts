import { expect, inject, test } from 'vitest';
import { call } from './call.ts';
import { unchangedPeople } from './staff/known-keys.ts';

/** The first requests of a new user, with the demo credentials. */
const { GATEWAY_KEY, STAFF_PROXY_ADMIN_KEY, STAFF_PROXY_KEY, COMPANY_KEY } = inject('servers').credentials;
const admin = { 'X-API-Key': STAFF_PROXY_ADMIN_KEY };
const reader = { 'X-API-Key': STAFF_PROXY_KEY };

test.each(['/health', '/api/crypto?symbol=ETH', '/openapi.json'])('the gateway responds to %s', async (path) => {
  expect((await call('gateway', path, { headers: { 'X-API-Key': GATEWAY_KEY } })).status).toBe(200);
  expect((await call('gateway', path)).status).toBe(200);
});

test('the proxy finds one person by StaffKey: with tags for the admin key, without tags for the other key', async () => {
  const tagged = new URLSearchParams({
    companyKey: COMPANY_KEY,
    $filter: `${unchangedPeople} and Tags/any()`,
    $select: 'StaffKey',
    $top: '1',
  });
  const [{ StaffKey }] = (await call('staff-proxy', `/v2/staffmember?${tagged}`, { headers: admin })).body;
  const filter = `StaffKey eq '${StaffKey.replaceAll("'", "''")}'`;
  const path = `/v2/staffmember?companyKey=${COMPANY_KEY}&$filter=${encodeURIComponent(filter)}&$expand=Tags`;
  const forAdmin = await call('staff-proxy', path, { headers: admin });
  expect(forAdmin.status).toBe(200);
  expect(forAdmin.body).toEqual([expect.objectContaining({ StaffKey })]);
  expect(forAdmin.body[0].Tags).not.toEqual([]);
  const forReader = await call('staff-proxy', path, { headers: reader });
  expect(forReader.status).toBe(200);
  expect(forReader.body).toEqual([{ ...forAdmin.body[0], Tags: [], TTCMTags: [] }]);
});

test.each([
  ['tag', 'OPTIONS, POST'],
  ['skillset', 'OPTIONS'],
])('GET …/%s at the proxy is 405 with Allow: %s', async (rest, allow) => {
  for (const headers of [admin, reader]) {
    const {
      status,
      headers: received,
      body,
    } = await call('staff-proxy', `/v2/staffmember/anybody/${rest}`, { headers });
    expect([status, body.code, received.get('Allow')]).toEqual([405, 'method_not_allowed', allow]);
  }
});
