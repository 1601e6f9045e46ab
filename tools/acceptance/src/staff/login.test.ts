import { describe, expect, inject, test } from 'vitest';
import { call } from '../call.ts';
import { staffServers } from '../server-names.ts';
import { companyKey } from './callers.ts';

const { credentials } = inject('servers');
const { SCHEDULING_EMAIL: email, SCHEDULING_PASSWORD: password } = credentials;
/** An account at the scheduling API; the name of a key and the key at the proxy. */
const good = {
  scheduling: { email, password },
  'staff-proxy': { email: 'reader', password: credentials.STAFF_PROXY_KEY },
};

describe.each(staffServers)('%s', (server) => {
  test.each(['a form', 'JSON'])(
    'login 200: accepts %s and returns a working token, its scheme in any case',
    async (form) => {
      const sent = form === 'JSON' ? { json: good[server] } : { body: new URLSearchParams(good[server]) };
      const { status, body } = await call(server, '/v2/login', { method: 'POST', ...sent });
      expect(status).toBe(200);
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: '3600' });
      const headers = { Authorization: `BEARER ${body.access_token}` };
      const people = await call(server, `/v2/staffmember?companyKey=${companyKey}&$top=1`, { headers });
      expect([people.status, people.body.length]).toEqual([200, 1]);
    },
  );

  test.each([
    ['a wrong password', { email, password: 'not-the-password' }],
    ['an unknown account', { email: 'nobody@demo.example', password: 'not-the-password' }],
  ])('login 401: the response for %s is the same', async (_, json) => {
    const { status, body } = await call(server, '/v2/login', { method: 'POST', json });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'login_failed', error: 'access_denied' });
    expect(body.error_description).toMatch(/Invalid/);
    expect(JSON.stringify(body)).not.toContain('not-the-password');
  });

  test('login 400: names both fields when both are missing', async () => {
    const { status, body } = await call(server, '/v2/login', { method: 'POST', json: {} });
    expect(status).toBe(400);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
    expect(pointers).toEqual(['/email', '/password']);
  });

  test('login 400: ignores credentials in the query', async () => {
    const path = `/v2/login?${new URLSearchParams(good[server])}`;
    const { status, text } = await call(server, path, { method: 'POST', json: good[server] });
    expect(status).toBe(400);
    expect(text).not.toContain(good[server].password);
  });

  test('login 415: accepts only forms and JSON', async () => {
    const headers = { 'Content-Type': 'application/xml' };
    const { status, body } = await call(server, '/v2/login', { method: 'POST', headers, body: '<a/>' });
    expect([status, body.code]).toEqual([415, 'media_type_unsupported']);
  });

  test('login 413: accepts a body of 16 KiB and rejects a longer one', async () => {
    const form = `email=${encodeURIComponent(email)}&password=`;
    const send = (bytes: number) =>
      call(server, '/v2/login', { method: 'POST', body: new URLSearchParams(form + 'x'.repeat(bytes - form.length)) });
    expect((await send(16_384)).status).toBe(400);
    const { status, body } = await send(16_385);
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  test('rule method not offered: GET of /v2/login is 405, and Allow lists what exists', async () => {
    const get = await call(server, '/v2/login');
    expect([get.status, get.headers.get('Allow')]).toEqual([405, 'OPTIONS, POST']);
  });
});
