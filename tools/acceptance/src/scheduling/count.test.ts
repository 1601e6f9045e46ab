import { expect, test } from 'vitest';
import { call } from '../call.ts';
import { callAs, companyKey, list, type Role } from '../staff/callers.ts';
import { unchangedPeople } from '../staff/known-keys.ts';

const query = `companyKey=${companyKey}`;
const count = (options: string, role: Role = 'admin') =>
  callAs('scheduling', role, `/v2/staffmember/$count?${query}${options}`);

test('countStaffMembers 200: returns the number as plain text, also when a client encodes the dollar', async () => {
  const { status, headers, text } = await count(`&$filter=${unchangedPeople}`);
  expect([status, headers.get('Content-Type'), headers.get('OData-Version')]).toEqual([200, 'text/plain', '4.01']);
  expect(Number(text)).toBeGreaterThan(100);
  const path = `/v2/staffmember/%24count?${query}&$filter=${unchangedPeople}`;
  expect((await callAs('scheduling', 'reader', path)).text).toBe(text);
});

test.each(['IsActive eq false', "contains(LastName,'a') and Fte lt @most", 'Tags/any(t:t/Tags/any(e:e/Key gt 0))'])(
  'countStaffMembers $filter: counts the people of the list with %s',
  async (filter) => {
    const options = { $filter: `${unchangedPeople} and ${filter}`, ...(filter.includes('@most') && { '@most': '1' }) };
    const { text } = await count(`&${new URLSearchParams(options)}`);
    expect(Number(text)).toBe((await list('scheduling', 'admin', options)).body.length);
    expect(Number(text)).toBeGreaterThan(0);
  },
);

test('countStaffMembers $filter: accounts without admin count no person by tags', async () => {
  expect(Number((await count('&$filter=Tags/any()')).text)).toBeGreaterThan(0);
  expect((await count('&$filter=Tags/any()', 'reader')).text).toBe('0');
});

test('countStaffMembers sinceModifiedTimestamp: counts the people who have changed since', async () => {
  expect((await count('&sinceModifiedTimestamp=2100-01-01')).text).toBe('0');
  expect(Number((await count('&sinceModifiedTimestamp=2000-01-01')).text)).toBeGreaterThan(100);
});

test.each(['$top=1', '$orderby=LastName', '$select=LastName', '$count=true', '$filter=Nobody eq 1'])(
  'countStaffMembers 400: rejects %s',
  async (option) => {
    const { status, body } = await count(`&${option}`);
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
  },
);

test('countStaffMembers 401: a login is needed', async () => {
  const { status, body } = await call('scheduling', `/v2/staffmember/$count?${query}`);
  expect([status, body.code]).toEqual([401, 'token_missing']);
});

test('countStaffMembers companyKey: is required', async () => {
  const { status, body } = await callAs('scheduling', 'admin', '/v2/staffmember/$count');
  expect([status, body.errors[0].parameter]).toEqual([400, 'companyKey']);
});

test('countStaffMembers 403: rejects another company', async () => {
  const { status, body } = await count('', 'otherCompany');
  expect([status, body.code]).toEqual([403, 'company_forbidden']);
});

test('countStaffMembers 501: names the unsupported option', async () => {
  const { status, body } = await count('&$filter=geo.length(null) eq 1');
  expect([status, body.errors[0].parameter]).toEqual([501, '$filter']);
});

test('countStaffMembers $search: is not supported', async () => {
  const { status, body } = await count('&$search=cardiology');
  expect([status, body.code]).toEqual([501, 'odata_unsupported']);
});

test.each(['$count', '%24count'])('countStaffMembers: %s has no other methods', async (segment) => {
  const path = `/v2/staffmember/${segment}`;
  const { status, headers } = await call('scheduling', path, { method: 'OPTIONS' });
  expect([status, headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  const { status: rejected, body } = await callAs('scheduling', 'admin', path, { method: 'PUT', json: { Fte: 1 } });
  expect([rejected, body.code]).toEqual([405, 'method_not_allowed']);
});

test.each(['$count', '%24count', '$count/profile', '$count/badgeId'])(
  'the proxy has no count: %s names a person with an unknown key',
  async (segments) => {
    const { status, body } = await callAs('staff-proxy', 'reader', `/v2/staffmember/${segments}`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  },
);
