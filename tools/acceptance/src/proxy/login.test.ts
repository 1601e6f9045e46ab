import { describe, expect, test } from 'vitest';
import { arrival, entryOf, keyOf, type RecordedProxy, startRecordedProxy, useRecordedProxy } from './recorded-proxy.ts';

const proxy = useRecordedProxy({
  keys: [entryOf('ops'), entryOf('reads', { read_only: true }), entryOf('ends', { expires_at: inSeconds(900) })],
});

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}

/** Logs in like the clients of the vendor: a form with e-mail and password, and then a bearer token. */
async function logIn({ call }: Pick<RecordedProxy, 'call'>, name: string, password = keyOf(name)) {
  const body = new URLSearchParams({ email: name, password });
  return call('/v2/login', { method: 'POST', body });
}
const bearer = (token: string) => ({ headers: { Authorization: `bearer ${token}` } });
const outcomeWith = async ({ call }: RecordedProxy, token: string) => {
  const { status, body } = await call('/v2/staffmember/S-1', bearer(token));
  return { status, code: body.code };
};

describe('a client of the vendor', () => {
  test.each(['a form', 'JSON'])('login 200: needs only another address, with %s', async (form) => {
    const { call, upstream } = proxy();
    const credentials = { email: 'ops', password: keyOf('ops') };
    const sent = form === 'JSON' ? { json: credentials } : { body: new URLSearchParams(credentials) };
    const { status, body } = await call('/v2/login', { method: 'POST', ...sent });
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'bearer', expires_in: '3600' },
    ]);
    expect(upstream.logins).toEqual([]);
    const headers = { Authorization: `${body.token_type} ${body.access_token}` };
    await call('/v2/staffmember?companyKey=C-1&includes=Tags', { headers });
    await call('/v2/staffmember/S-1', { headers, method: 'PUT', json: { Fte: 0.5 } });
    expect(upstream.arrived).toEqual(['GET /v2/staffmember?companyKey=C-1&includes=Tags', 'PUT /v2/staffmember/S-1']);
  });

  test('login 200: a token expires no later than its key', async () => {
    const { body } = await logIn(proxy(), 'ends');
    expect(Number(body.expires_in)).toBeGreaterThan(800);
    expect(Number(body.expires_in)).toBeLessThanOrEqual(900);
  });

  test.each([
    ['a wrong key', 'ops', 'guess'],
    ['the key of another', 'ops', keyOf('reads')],
    ['the account of the upstream', 'admin@up.example', 'password-of-the-admin'],
  ])('login 401: rejects %s in the format of the vendor', async (_case, name, password) => {
    const { status, body, text } = await logIn(proxy(), name, password);
    expect([status, body.code]).toEqual([401, 'login_failed']);
    expect(body).toMatchObject({ error: 'access_denied', error_description: 'Invalid email or password' });
    expect(text).not.toContain(password);
    expect(proxy().upstream.logins).toEqual([]);
  });
});

test('updateStaffMember 403: rejects the token of a read-only key', async () => {
  const { body } = await logIn(proxy(), 'reads');
  const write = { method: 'PUT', json: { Fte: 0.5 }, ...bearer(body.access_token) };
  expect((await proxy().call('/v2/staffmember/S-1', write)).body).toMatchObject({ code: 'operation_forbidden' });
  expect(await outcomeWith(proxy(), body.access_token)).toEqual(arrival);
});

describe('a token', () => {
  const rejected = (code: string) => ({ status: 401, code });
  const keysFileOf = (keys: readonly object[]) => ({
    'proxy-keys.json': { accounts: { admin: adminAccount }, keys },
  });
  const adminAccount = {
    email: 'admin@up.example',
    password: 'password-of-the-admin',
    company_key: 'C-1',
    admin: true,
  };

  test('getStaffMember 401: ends a token when its key is removed, not at other edits', async () => {
    const own = await startRecordedProxy({ keys: [entryOf('ops'), entryOf('web')] });
    const ops = (await logIn(own, 'ops')).body.access_token;
    const web = (await logIn(own, 'web')).body.access_token;
    await own.edit({ 'staff-proxy.json': { upstream_url: own.upstream.url, token_lifetime_s: 60 } });
    expect([await outcomeWith(own, ops), await outcomeWith(own, web)]).toEqual([arrival, arrival]);
    expect((await logIn(own, 'web')).body.expires_in).toBe('60');

    await own.edit(keysFileOf([entryOf('ops', { revoked_at: inSeconds(-1) }), entryOf('web', { read_only: true })]));
    expect(await outcomeWith(own, ops)).toEqual(rejected('key_revoked'));
    expect(await outcomeWith(own, web)).toEqual(arrival);
    const write = await own.call('/v2/staffmember/S-1', { method: 'PUT', json: { Fte: 1 }, ...bearer(web) });
    expect(write.body.code).toBe('operation_forbidden');

    await own.edit(keysFileOf([entryOf('web')]));
    expect(await outcomeWith(own, ops)).toEqual(rejected('key_invalid'));
    await own.edit(keysFileOf([entryOf('ops'), entryOf('web')]));
    // The key is back, but its earlier tokens are not.
    expect(await outcomeWith(own, ops)).toEqual(rejected('key_invalid'));
    expect(await outcomeWith(own, web)).toEqual(arrival);
    expect(own.upstream.logins).toEqual(['admin@up.example']);
  });

  test('getStaffMember 401: rejects tokens issued before a key was revoked and reinstated', async () => {
    const own = await startRecordedProxy({ keys: [entryOf('ops')] });
    const token = (await logIn(own, 'ops')).body.access_token;
    await own.edit(keysFileOf([entryOf('ops', { revoked_at: inSeconds(-1) })]));
    expect(await outcomeWith(own, token)).toEqual(rejected('key_revoked'));
    await own.edit(keysFileOf([entryOf('ops')]));
    expect(await outcomeWith(own, token)).toEqual(rejected('token_expired'));
    expect(await outcomeWith(own, (await logIn(own, 'ops')).body.access_token)).toEqual(arrival);
  });

  test('getStaffMember 401: rejects an expired token', async () => {
    const own = await startRecordedProxy({ keys: [entryOf('ops')], settings: { token_lifetime_s: 5 } });
    const token = (await logIn(own, 'ops')).body.access_token;
    await expect.poll(() => outcomeWith(own, token)).toEqual(rejected('token_expired'));
    expect(await outcomeWith(own, (await logIn(own, 'ops')).body.access_token)).toEqual(arrival);
  });
});
