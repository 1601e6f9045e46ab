import { describe, expect, inject, test } from 'vitest';
import { call } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { companyKey } from './callers.ts';
import { requests, requestsThatAnswer } from './requests.ts';

const { STAFF_PROXY_KEY, GATEWAY_KEY } = inject('servers').credentials;

test('rule 18 operations: every operation on people needs a credential', () => {
  expect(requests).toHaveLength(18);
  expect(requestsThatAnswer(401)).toEqual(requests);
});

describe.each(staffServers)('%s', (server) => {
  test.each(requestsThatAnswer(401))(
    '$operationId 401: rejects a request without a credential',
    async ({ method, path, json }) => {
      const { status, headers, body } = await call(server, path, { method, json });
      expect([status, body.kind]).toEqual([401, 'AuthenticationError']);
      expect(body.code).toMatch(/_missing$/);
      expect(headers.get('WWW-Authenticate')).toMatch(/\w/);
    },
  );

  test.each(requestsThatAnswer(401))(
    '$operationId 401: rejects a wrong credential and does not echo it',
    async ({ method, path, json }) => {
      const headers = { Authorization: 'Bearer staff_live_invented_00000000' };
      const { status, body } = await call(server, path, { method, json, headers });
      expect([status, body.kind]).toEqual([401, 'AuthenticationError']);
      expect(body.code).toMatch(/_invalid$/);
      expect(JSON.stringify(body)).not.toContain('invented');
    },
  );
});

test('the proxy rejects keys of other servers, keys sent twice and keys in the query', async () => {
  const path = `/v2/staffmember?companyKey=${companyKey}`;
  const statusOf = async (headers: Record<string, string>, more = '') =>
    (await call('staff-proxy', path + more, { headers })).status;
  expect(await statusOf({ 'X-API-Key': GATEWAY_KEY })).toBe(401);
  expect(await statusOf({ 'X-API-Key': STAFF_PROXY_KEY, Authorization: `Bearer ${STAFF_PROXY_KEY}` })).toBe(401);
  expect(await statusOf({}, `&key=${STAFF_PROXY_KEY}`)).toBe(401);
  expect(await statusOf({ Authorization: `bearer ${STAFF_PROXY_KEY}` }, '&$top=1')).toBe(200);
});

test('rule token needed: the scheduling API rejects a key of the proxy', async () => {
  const headers = { 'X-API-Key': STAFF_PROXY_KEY };
  expect((await call('scheduling', `/v2/staffmember?companyKey=${companyKey}`, { headers })).status).toBe(401);
});
