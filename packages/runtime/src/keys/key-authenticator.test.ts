import { describe, expect, it } from 'vitest';
import { createKeyAuthenticator } from './key-authenticator.ts';
import { createKeyring, type KeyRecord, keyDigest } from './keyring.ts';

const record = (name: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  name,
  owner: 'team',
  sha256: keyDigest(name),
  scopes: ['read'],
  ...more,
});

function start(records: KeyRecord[]) {
  let now = 1_000;
  let ring = createKeyring(records);
  const authenticate = createKeyAuthenticator({
    keyring: () => ring,
    createPrincipal: ({ name, owner, scopes }) => ({ name, owner, scopes }),
    clock: () => now,
  });
  return {
    withKey: (key: string) => authenticate({ req: { rawHeaders: ['X-API-Key', key] } }),
    authenticate,
    setTime: (ms: number) => {
      now = ms;
    },
    reload: (next: KeyRecord[]) => {
      ring = createKeyring(next);
    },
  };
}

describe('createKeyAuthenticator', () => {
  it('makes a principal of the record behind a key', () => {
    expect(start([record('ops')]).withKey('ops')).toEqual({ name: 'ops', owner: 'team', scopes: ['read'] });
  });

  it('takes a request without a key for nobody', () => {
    expect(start([record('ops')]).authenticate({ req: { rawHeaders: ['Host', 'a'] } })).toBeNull();
  });

  it.each([
    ['an unknown key', 'nobody', 'key_invalid'],
    ['an empty key', '', 'key_invalid'],
    ['a revoked key', 'gone', 'key_revoked'],
    ['an expired key', 'old', 'key_expired'],
    ['a key both expired and revoked, as revoked', 'both', 'key_revoked'],
  ])('rejects %s with 401 and the reason', (_case, key, code) => {
    const { withKey } = start([
      record('gone', { revokedAtMs: 1_000 }),
      record('old', { expiresAtMs: 1_000 }),
      record('both', { expiresAtMs: 10, revokedAtMs: 20 }),
    ]);
    expect(() => withKey(key)).toThrow(expect.objectContaining({ code, status: 401 }));
  });

  it('lets a key work up to its end and no longer', () => {
    const { withKey, setTime } = start([record('ops', { expiresAtMs: 2_000, revokedAtMs: 3_000 })]);
    setTime(1_999);
    expect(withKey('ops')).not.toBeNull();
    setTime(2_000);
    expect(() => withKey('ops')).toThrow(expect.objectContaining({ code: 'key_expired' }));
  });

  it('sees a reload with the next request', () => {
    const { withKey, reload } = start([record('ops')]);
    withKey('ops');
    reload([record('ops', { scopes: ['write'] })]);
    expect(withKey('ops')?.scopes).toEqual(['write']);
    reload([]);
    expect(() => withKey('ops')).toThrow(expect.objectContaining({ code: 'key_invalid' }));
  });
});
