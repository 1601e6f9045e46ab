import { proxyDocument } from '@rostergate/staff-spec';
import { expect, test } from 'vitest';
import { call } from '../call.ts';
import { arrival, entryOf, keyOf, useRecordedProxy } from './recorded-proxy.ts';

const proxy = useRecordedProxy({ keys: [entryOf('ops')] });
const people = '/v2/staffmember';

/** The path of every GET of the contract without path parameters. */
const reads = Object.entries(proxyDocument.paths).flatMap(([path, { get, servers = proxyDocument.servers }]) =>
  get === undefined || path.includes('{') ? [] : [(servers?.[0]?.url ?? '').replace(/\/$/, '') + path],
);

test.each(reads)('rule wrong key: is 401 on GET %s', async (path) => {
  for (const headers of [{ 'X-API-Key': 'staff_live_invented' }, { Authorization: 'Bearer invented' }]) {
    const { status, body } = await call('staff-proxy', path, { baseUrl: proxy().url, headers });
    expect([status, body.code]).toEqual([401, 'key_invalid']);
  }
});

test('rule wrong key: is ignored by POST /login', async () => {
  const sent = { baseUrl: proxy().url, method: 'POST', json: { email: 'ops', password: keyOf('ops') } };
  for (const headers of [{ 'X-API-Key': 'staff_live_invented' }, { Authorization: 'Bearer invented' }]) {
    expect((await call('staff-proxy', '/v2/login', { ...sent, headers })).status).toBe(200);
  }
});

test('rule a key or a token: a key in X-API-Key or as a bearer in any case, and a token of a login as a bearer', async () => {
  const { url, upstream } = proxy();
  const json = { email: 'ops', password: keyOf('ops') };
  const { body: token } = await call('staff-proxy', '/v2/login', { baseUrl: url, method: 'POST', json });
  const good = [
    { 'X-API-Key': keyOf('ops') },
    { Authorization: `Bearer ${keyOf('ops')}` },
    { Authorization: `bearer ${keyOf('ops')}` },
    { Authorization: `BEARER ${token.access_token}` },
  ];
  for (const headers of good) {
    const { status, body } = await call('staff-proxy', people, { baseUrl: url, headers });
    expect({ status, code: body.code }).toEqual(arrival);
  }
  expect(upstream.arrived).toHaveLength(good.length);
});

test('rule a key or a token: never two, not even the same one, and none in the query', async () => {
  const { url, upstream } = proxy();
  const key = keyOf('ops');
  const statuses = await Promise.all([
    call('staff-proxy', people, { baseUrl: url, headers: { 'X-API-Key': key, Authorization: `Bearer ${key}` } }),
    call('staff-proxy', `${people}?X-API-Key=${key}`, { baseUrl: url }),
    call('staff-proxy', `${people}?access_token=${key}`, { baseUrl: url }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(upstream.arrived).toEqual([]);
});
