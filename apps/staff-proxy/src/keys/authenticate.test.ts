import { randomBytes } from 'node:crypto';
import { keyDigest } from '@rostergate/access/keys';
import { describe, expect, test } from 'vitest';
import { createAuthenticate } from './authenticate.ts';
import { createIssuedTokens } from './issued-tokens.ts';
import { createProxyKeys, type StaffKey } from './proxy-keys.ts';

const staffKey = (name: string, more: Partial<StaffKey> = {}): StaffKey => ({
  name,
  owner: 'team',
  sha256: keyDigest(name),
  scopes: [],
  account: 'reader',
  companyKey: 'C-1',
  ...more,
});
const request = (headers: Record<string, string>) => ({
  req: {
    rawHeaders: Object.entries(headers).flat(),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  },
});

function setUp() {
  const time = { nowMs: 0 };
  const clock = () => time.nowMs;
  const settings = { redis_url: '', redis_prefix: 'test:' };
  const tokens = createIssuedTokens(settings, [staffKey('ops'), staffKey('old', { expiresAtMs: 1 })], {
    clock,
    randomBytes,
  });
  const authenticateBy = (keys: StaffKey[]) => createAuthenticate({ keys: createProxyKeys(keys), tokens, clock });
  let authenticate = authenticateBy([staffKey('ops'), staffKey('old', { expiresAtMs: 1 })]);
  return {
    time,
    tokenOf: async (name: string) => (await tokens.issue(keyDigest(name), 60_000)) as string,
    authenticate: (headers: Record<string, string>) => authenticate(request(headers)),
    reload: (next: StaffKey[]) => {
      authenticate = authenticateBy(next);
    },
  };
}
const code = (name: string) => expect.objectContaining({ status: 401, code: name });

describe('the caller of a request', () => {
  test.each([{ 'X-API-Key': 'ops' }, { Authorization: 'Bearer ops' }, { Authorization: 'bearer ops' }])(
    'is identified by a key in %j',
    (headers) => {
      expect(setUp().authenticate(headers)).toMatchObject({ name: 'ops', account: 'reader', companyKey: 'C-1' });
    },
  );

  test('is null without a credential', () => {
    expect(setUp().authenticate({})).toBeNull();
  });

  test('is identified by a token of the login until it expires', async () => {
    const { time, tokenOf, authenticate } = setUp();
    const Authorization = `bearer ${await tokenOf('ops')}`;
    expect(authenticate({ Authorization })).toMatchObject({ name: 'ops' });
    time.nowMs = 60_000;
    expect(() => authenticate({ Authorization })).toThrow(code('token_expired'));
  });

  test('is rejected with a token in place of a key', async () => {
    const { tokenOf, authenticate } = setUp();
    const token = await tokenOf('ops');
    expect(() => authenticate({ 'X-API-Key': token })).toThrow(code('key_invalid'));
  });

  test('is rejected with the digest of a key', () => {
    expect(() => setUp().authenticate({ 'X-API-Key': keyDigest('ops') })).toThrow(code('key_invalid'));
  });

  test('loses a token with its key', async () => {
    const { tokenOf, authenticate, reload } = setUp();
    const Authorization = `Bearer ${await tokenOf('ops')}`;
    reload([staffKey('ops', { revokedAtMs: 0 })]);
    expect(() => authenticate({ Authorization })).toThrow(code('key_revoked'));
    reload([]);
    expect(() => authenticate({ Authorization })).toThrow(code('key_invalid'));
  });

  test.each([
    ['a wrong key', { 'X-API-Key': 'guess' }, 'key_invalid'],
    ['an empty key', { 'X-API-Key': '' }, 'key_invalid'],
    ['an expired key', { 'X-API-Key': 'old' }, 'key_expired'],
    ['a key sent in two ways', { 'X-API-Key': 'ops', Authorization: 'Bearer ops' }, 'key_repeated'],
  ])('is rejected with %s', (_case, headers, name) => {
    const { authenticate, time } = setUp();
    time.nowMs = 1;
    expect(() => authenticate(headers)).toThrow(code(name));
  });
});
