import { Problem } from '@rostergate/server/problem';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyAuthenticator, presentedKey } from './key-authenticator.ts';
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
  it('creates the principal from the record of a key', () => {
    expect(start([record('ops')]).withKey('ops')).toEqual({ name: 'ops', owner: 'team', scopes: ['read'] });
  });

  it('returns null for a request without a key', () => {
    expect(start([record('ops')]).authenticate({ req: { rawHeaders: ['Host', 'a'] } })).toBeNull();
  });

  it.each([
    ['an unknown key', 'unknown', 'key_invalid'],
    ['an empty key', '', 'key_invalid'],
    ['a revoked key', 'revoked', 'key_revoked'],
    ['an expired key', 'expired', 'key_expired'],
    ['a key that is expired and revoked, as revoked', 'both', 'key_revoked'],
  ])('rejects %s with 401 and the reason', (_case, key, code) => {
    const { withKey } = start([
      record('revoked', { revokedAtMs: 1_000 }),
      record('expired', { expiresAtMs: 1_000 }),
      record('both', { expiresAtMs: 10, revokedAtMs: 20 }),
    ]);
    expect(() => withKey(key)).toThrow(expect.objectContaining({ code, status: 401 }));
  });

  it('accepts a key until it expires', () => {
    const { withKey, setTime } = start([record('ops', { expiresAtMs: 2_000, revokedAtMs: 3_000 })]);
    setTime(1_999);
    expect(withKey('ops')).not.toBeNull();
    setTime(2_000);
    expect(() => withKey('ops')).toThrow(expect.objectContaining({ code: 'key_expired' }));
  });

  it('uses reloaded keys from the next request on', () => {
    const { withKey, reload } = start([record('ops')]);
    withKey('ops');
    reload([record('ops', { scopes: ['write'] })]);
    expect(withKey('ops')?.scopes).toEqual(['write']);
    reload([]);
    expect(() => withKey('ops')).toThrow(expect.objectContaining({ code: 'key_invalid' }));
  });
});

const presentedIn = (...rawHeaders: string[]) => presentedKey({ rawHeaders });

describe('presentedKey', () => {
  it.each([
    ['no header at all', [], null],
    ['X-API-Key', ['X-API-Key', 'k1'], 'k1'],
    ['the header in any case', ['x-api-KEY', 'k1'], 'k1'],
    ['Authorization: Bearer', ['Authorization', 'Bearer k1'], 'k1'],
    ['the scheme in any case', ['authorization', 'bEaReR k1'], 'k1'],
    ['several spaces after the scheme', ['Authorization', 'Bearer   k1'], 'k1'],
    ['another scheme', ['Authorization', 'Basic dTpw'], null],
    ['a longer scheme with the same beginning', ['Authorization', 'Bearers k1'], null],
    ['an empty key', ['X-API-Key', ''], ''],
    ['a scheme without a token', ['Authorization', 'Bearer'], ''],
    ['a key beside another scheme', ['Authorization', 'Basic dTpw', 'X-API-Key', 'k1'], 'k1'],
  ])('reads %s', (_case, rawHeaders, key) => {
    expect(presentedIn(...rawHeaders)).toBe(key);
  });

  it.each([
    ['X-API-Key twice', ['X-API-Key', 'k1', 'x-api-key', 'k1']],
    ['Authorization twice', ['Authorization', 'Bearer k1', 'Authorization', 'Basic dTpw']],
    ['both ways, even with one key', ['X-API-Key', 'k1', 'Authorization', 'Bearer k1']],
    ['two keys that a proxy joined', ['X-API-Key', 'k1, k2']],
    ['an empty key beside a token', ['X-API-Key', '', 'Authorization', 'Bearer k1']],
  ])('rejects %s', (_case, rawHeaders) => {
    expect(() => presentedIn(...rawHeaders)).toThrow(Problem);
    expect(() => presentedIn(...rawHeaders)).toThrow(expect.objectContaining({ code: 'key_repeated', status: 401 }));
  });

  it('ignores schemes that the server does not accept', () => {
    const rawHeaders = ['X-API-Key', 'k1', 'Authorization', 'Bearer k2'];
    expect(presentedKey({ rawHeaders }, { schemes: ['bearer'] })).toBe('k2');
    expect(presentedKey({ rawHeaders }, { schemes: ['x-api-key'] })).toBe('k1');
  });

  it('returns at most one key from any combination of headers', () => {
    const name = fc.constantFrom('X-API-Key', 'x-api-key', 'Authorization', 'AUTHORIZATION', 'Host');
    const value = fc.constantFrom('', 'a', 'Bearer a', 'bearer', 'Basic a', 'a,b');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (headers) => {
        const count = (wanted: string) => headers.filter(([n]) => n.toLowerCase() === wanted).length;
        try {
          const key = presentedIn(...headers.flat());
          expect(count('x-api-key')).toBeLessThan(2);
          expect(count('authorization')).toBeLessThan(2);
          expect(key ?? '').not.toContain(',');
        } catch (error) {
          expect(error).toMatchObject({ code: 'key_repeated' });
        }
      }),
    );
  });
});
