import { expect, inject, test } from 'vitest';
import { call } from '../call.ts';

const { GATEWAY_KEY, STAFF_PROXY_KEY } = inject('servers').credentials;
const status = (headers: Record<string, string>) => call('gateway', '/auth/status', { headers });
const verdict = (headers: Record<string, string>) => call('gateway', '/auth/validate', { headers });

test.each([
  ['X-API-Key', { 'X-API-Key': GATEWAY_KEY }],
  ['a bearer token', { Authorization: `Bearer ${GATEWAY_KEY}` }],
  ['a bearer token, its scheme in small letters', { Authorization: `bearer ${GATEWAY_KEY}` }],
])('accepts the key as %s', async (_, headers) => {
  const response = await status(headers as Record<string, string>);
  expect([response.status, response.body.authenticated]).toEqual([200, true]);
  expect((await verdict(headers as Record<string, string>)).body).toMatchObject({ valid: true, code: 'key_valid' });
});

test.each([
  ['no key', {}, 'key_missing'],
  ['an invented key', { 'X-API-Key': 'gateway_live_invented_00000000' }, 'key_invalid'],
  ['the key of another server', { 'X-API-Key': STAFF_PROXY_KEY }, 'key_invalid'],
  ['a key in two ways', { 'X-API-Key': GATEWAY_KEY, Authorization: `Bearer ${GATEWAY_KEY}` }, 'key_repeated'],
])('rejects %s, and /auth/validate returns the reason', async (_, headers, code) => {
  const rejected = await status(headers as Record<string, string>);
  expect([rejected.status, rejected.body.code, rejected.body.kind]).toEqual([401, code, 'AuthenticationError']);
  expect(rejected.headers.get('WWW-Authenticate')).toMatch(/\w/);
  const { status: validateStatus, body } = await verdict(headers as Record<string, string>);
  expect([validateStatus, body.valid, body.code]).toEqual([200, false, code]);
});

test('ignores a key in the query', async () => {
  expect((await call('gateway', `/auth/status?api_key=${GATEWAY_KEY}`)).status).not.toBe(200);
});
