import { expect, test } from 'vitest';
import { startOidcIssuer } from '../oidc-issuer.ts';
import { startTokenIssuer } from '../promises/token-issuer.ts';
import { whenTestEnds } from '../when-test-ends.ts';
import { startStandInProxy, usualKeysFile, withKey } from './stand-in-proxy.ts';

const people = '/v2/staffmember';
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

test('setting jwt_issuers: a token of a real issuer uses the service account that its claim chooses', async () => {
  const issuer = await startOidcIssuer(whenTestEnds);
  const tokens = [{ issuer: 'corp', value: 'orders-app', account: 'reader' }];
  const proxy = await startStandInProxy({
    keysFile: { ...usualKeysFile, tokens },
    settings: { jwt_issuers: [issuer.settings] },
  });
  const token = bearer(await issuer.token());
  expect((await proxy.call(people, token)).status).toBe(200);
  expect((await proxy.call(people, withKey)).status).toBe(200);
  expect(proxy.upstream.logins.map(({ body }) => new URLSearchParams(body).get('email'))).toEqual(['reader@up.test']);
  // The caller's token never reaches the upstream.
  expect(JSON.stringify(proxy.upstream.seen)).not.toContain(token.headers.Authorization.split('.')[1]);
});

test('setting jwt_issuers: the first fitting entry of tokens decides account, company and operations', async () => {
  const issuer = await startTokenIssuer(whenTestEnds);
  const tokens = [
    { issuer: 'corp', claim: 'groups', value: 'staff-admins', account: 'admin' },
    { issuer: 'corp', claim: 'groups', value: 'staff', account: 'reader', read_only: true },
  ];
  const proxy = await startStandInProxy({
    keysFile: { ...usualKeysFile, tokens },
    settings: { jwt_issuers: [issuer.settings] },
  });
  const write = async (claims: object) => {
    const { headers } = bearer(issuer.token({ ...claims }));
    return (await proxy.call(`${people}/x/tag`, { method: 'POST', headers, json: {} })).body.code;
  };
  const admins = await write({ groups: ['staff', 'staff-admins'] });
  expect(admins).not.toBe('scope_missing');
  expect(admins).not.toBe('operation_forbidden');
  expect(['operation_forbidden', 'scope_missing']).toContain(await write({ groups: ['staff'] }));
  expect((await proxy.call(people, bearer(issuer.token({ groups: 'staff' })))).status).toBe(200);
  const { status, body } = await proxy.call(people, bearer(issuer.token({ groups: ['other'] })));
  expect([status, body.code, body.detail]).toEqual([
    403,
    'operation_forbidden',
    'This token has no service account. Ask the operator to assign one.',
  ]);
});

test('setting jwt_issuers: a wrong token is 401, and an edit of tokens takes effect at once', async () => {
  const issuer = await startTokenIssuer(whenTestEnds);
  const entry = { issuer: 'corp', value: 'token-client', account: 'reader' };
  const proxy = await startStandInProxy({
    keysFile: { ...usualKeysFile, tokens: [entry] },
    settings: { jwt_issuers: [issuer.settings] },
  });
  const token = bearer(issuer.token());
  expect((await proxy.call(people, token)).status).toBe(200);
  for (const wrong of [issuer.forgedToken(), issuer.token({ aud: 'other' }), 'a.b.c']) {
    const { status, body } = await proxy.call(people, bearer(wrong));
    expect([status, body.code]).toEqual([401, 'token_invalid']);
  }
  const without = await proxy.call(people);
  expect([without.status, without.body.detail]).toEqual([401, expect.stringContaining('an access token')]);
  await proxy.edit({ 'proxy-keys.json': { ...usualKeysFile, tokens: [{ ...entry, value: 'other' }] } });
  expect((await proxy.call(people, token)).body.code).toBe('operation_forbidden');
});
