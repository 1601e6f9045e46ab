import { randomBytes } from 'node:crypto';
import { keyDigest } from '@rostergate/access/keys';
import { describe, expect, test } from 'vitest';
import { createIssuedTokens } from './issued-tokens.ts';
import { createLoginHandler } from './login-handler.ts';
import { createProxyKeys } from './proxy-keys.ts';
import { createStoredStaffKeys } from './stored-staff-keys.ts';

/** The keys of a key store in which each has an account that this proxy lacks. */
const orphans = createStoredStaffKeys({
  ...{ local: [], accounts: new Map(), upstreamForm: 'contract', onUnusable: () => {} },
  stored: {
    find: (sha256) => ({ name: 'ops', owner: 't', sha256, scopes: [], attributes: JSON.stringify({ account: 'a' }) }),
  },
});

function setUp() {
  const staffKey = { owner: 't', scopes: [], account: 'a', companyKey: 'C-1' };
  const all = [
    { ...staffKey, name: 'ops', sha256: keyDigest('secret') },
    { ...staffKey, name: 'old', sha256: keyDigest('ended'), expiresAtMs: 5 },
    { ...staffKey, name: 'gone', sha256: keyDigest('revoked'), revokedAtMs: 10 },
    { ...staffKey, name: 'soon', sha256: keyDigest('ending'), expiresAtMs: 90_010 },
  ];
  const keys = createProxyKeys(all);
  const clock = () => 10;
  const tokens = createIssuedTokens({ redis_url: '', redis_prefix: 'test:' }, all, { clock, randomBytes });
  const login = createLoginHandler({ keys, tokens, clock, lifetimeS: 3_600 });
  return { tokens, clock, login: (email: string, password: string) => login({ body: { email, password } }) };
}

describe('a login', () => {
  test('returns a token bound to the key', async () => {
    const { tokens, login } = setUp();
    const { status, body } = await login('ops', 'secret');
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: '3600' });
    expect(tokens.find(body.access_token)).toMatchObject({ keySha256: keyDigest('secret') });
  });

  test('returns a token that ends with its key', async () => {
    expect((await setUp().login('soon', 'ending')).body.expires_in).toBe('90');
  });

  test.each([
    ['a wrong key', 'ops', 'guess'],
    ['the key of another name', 'ops', 'ended'],
    ['an unknown name', 'nobody', 'secret'],
    ['an expired key', 'old', 'ended'],
    ['a revoked key', 'gone', 'revoked'],
    ['a digest in place of its key', 'ops', keyDigest('secret')],
  ])('rejects %s with the error of the vendor', async (_case, email, password) => {
    await expect(setUp().login(email, password)).rejects.toThrow(
      expect.objectContaining({
        status: 401,
        code: 'login_failed',
        extensions: { error: 'access_denied', error_description: 'Invalid email or password' },
      }),
    );
  });

  test('rejects a key whose account this proxy lacks with the same error', async () => {
    const { tokens, clock } = setUp();
    const login = createLoginHandler({ keys: orphans, tokens, clock, lifetimeS: 3_600 });
    await expect(login({ body: { email: 'ops', password: 'secret' } })).rejects.toMatchObject({ code: 'login_failed' });
  });
});
