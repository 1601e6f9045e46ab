import { randomBytes } from 'node:crypto';
import { type KeyRecord, keyDigest } from '@rostergate/access/keys';
import { Problem } from '@rostergate/server/problem';
import { describe, expect, test, vi } from 'vitest';
import { createAuthenticate } from './authenticate.ts';
import { createIssuedTokens } from './issued-tokens.ts';
import { createProxyKeys, type StaffKey } from './proxy-keys.ts';
import { createStoredStaffKeys, proxyKeyKind } from './stored-staff-keys.ts';

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

describe('the caller of a request with a key of a key store', () => {
  function setUpStore(upstreamForm: 'contract' | 'vendor' = 'contract') {
    const records = new Map<string, KeyRecord>();
    const put = (name: string, more: Partial<KeyRecord> = {}) =>
      records.set(keyDigest(name), {
        ...{ name, owner: 'team', sha256: keyDigest(name), scopes: ['invented'], attributes: '{"account":"admin"}' },
        ...more,
      });
    const away = { isAway: false };
    const stored = {
      find(digest: string, local: KeyRecord | undefined) {
        const found = records.get(digest) ?? local;
        if (found === undefined && away.isAway) throw new Problem('unavailable', 'Retry.');
        return found;
      },
    };
    const clock = () => 0;
    const local = [staffKey('local'), staffKey('both')];
    const accounts = new Map([
      ['admin', { name: 'admin', email: 'a@up.test', password: 'p', companyKey: 'C-1', isAdmin: true }],
    ]);
    const onUnusable = vi.fn();
    const keys = createStoredStaffKeys({ local, stored, accounts, upstreamForm, onUnusable });
    const settings = { redis_url: '', redis_prefix: 'test:' };
    const tokens = createIssuedTokens(settings, local, { clock, randomBytes, stored });
    const authenticate = createAuthenticate({ keys, tokens, clock });
    return {
      ...{ put, away, tokens, onUnusable },
      authenticate: (headers: object) => authenticate(request({ ...headers })),
    };
  }

  test('has the permissions of its account and entry, and is the same principal each time', () => {
    const { put, authenticate } = setUpStore();
    const attributes = '{"account":"admin","operations":{"deny":["addStaffTag"]},"pass_through":["board"]}';
    put('ops', { attributes });
    const caller = authenticate({ 'X-API-Key': 'ops' });
    const rights = { account: 'admin', companyKey: 'C-1', scopes: ['admin'], forbidden: new Set(['addStaffTag']) };
    const granted = expect.objectContaining({ size: 5 });
    expect(caller).toMatchObject({ name: 'ops', owner: 'team', ...rights, granted });
    expect(authenticate({ Authorization: 'Bearer ops' })).toBe(caller);
  });

  test.each([
    ['vendor', true],
    ['contract', false],
  ] as const)('keeps unknown members only in the form of the vendor: %s', (upstreamForm, isKept) => {
    const { put, authenticate } = setUpStore(upstreamForm);
    put('ops', { attributes: '{"account":"admin","unknown_members":"keep"}' });
    expect(authenticate({ 'X-API-Key': 'ops' })).toMatchObject({ keepsUnknownMembers: isKept });
  });

  test('has the record of the store, if the keys file has the key as well', () => {
    const { put, authenticate } = setUpStore();
    expect(authenticate({ 'X-API-Key': 'both' })).toMatchObject({ account: 'reader' });
    put('both', { revokedAtMs: 0 });
    expect(() => authenticate({ 'X-API-Key': 'both' })).toThrow(code('key_revoked'));
    expect(authenticate({ 'X-API-Key': 'local' })).toMatchObject({ account: 'reader' });
  });

  test.each([
    ['an account that the keys file lacks', '{"account":"gone"}', 'gone'],
    ['another company than its account', '{"account":"admin","company_key":"C-2"}', 'admin'],
  ])('is rejected with %s, which is reported once', (_case, attributes, account) => {
    const { put, authenticate, onUnusable } = setUpStore();
    put('ops', { attributes });
    for (const header of ['X-API-Key', 'X-API-Key']) {
      expect(() => authenticate({ [header]: 'ops' })).toThrow(code('key_invalid'));
    }
    expect(onUnusable.mock.calls).toEqual([[account]]);
  });

  test('keeps its token while the store is away, and loses it with the key', async () => {
    const { put, away, tokens, authenticate } = setUpStore();
    put('ops');
    const Authorization = `Bearer ${await tokens.issue(keyDigest('ops'), 60_000)}`;
    away.isAway = true;
    expect(authenticate({ Authorization })).toMatchObject({ name: 'ops' });
    for (const unknown of [{ Authorization: 'Bearer unknown' }, { 'X-API-Key': 'unknown' }]) {
      expect(() => authenticate(unknown)).toThrow(expect.objectContaining({ status: 503 }));
    }
    put('ops', { revokedAtMs: 0 });
    expect(() => authenticate({ Authorization })).toThrow(code('key_revoked'));
  });
});

describe('the attributes of a stored key', () => {
  test.each([
    ['{"account":"admin"}', true],
    ['{"account":"admin","read_only":true,"operations":{"allow":["getStaffMember"]}}', true],
    ['{}', false],
    ['{"account":"admin","operations":{}}', false],
    ['{"account":"admin","operations":{"allow":["unknown"]}}', false],
    ['no JSON', false],
  ])('%s are valid: %s', (attributes, isValid) => {
    expect(proxyKeyKind.accepts(attributes)).toBe(isValid);
  });
});
