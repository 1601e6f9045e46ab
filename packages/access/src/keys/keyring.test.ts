import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyring, keyDigest } from './keyring.ts';

const record = (name: string, key: string) => ({ name, owner: name, sha256: keyDigest(key), scopes: [] });

describe('createKeyring', () => {
  it('finds a record by its key and by no other text', () => {
    const ring = createKeyring([record('one', 'k1'), record('two', 'k2')]);
    expect(ring.find('k2')?.name).toBe('two');
    for (const wrong of ['', 'K1', 'k1 ', 'k', keyDigest('k1'), '__proto__', 'constructor']) {
      expect(ring.find(wrong)).toBeUndefined();
    }
    expect(ring.size).toBe(2);
  });

  it('finds nothing without records', () => {
    expect(createKeyring([]).find('anything')).toBeUndefined();
  });

  it('rejects a malformed digest without repeating it', () => {
    expect(() => createKeyring([{ ...record('one', 'k1'), sha256: 'k1-in-plain' }])).toThrow(
      /^The key one has no SHA-256 digest/,
    );
    expect(() => createKeyring([{ ...record('one', 'k1'), sha256: 'secret' }])).not.toThrow('secret');
  });

  it('rejects one key under two names', () => {
    expect(() => createKeyring([record('one', 'k1'), record('two', 'k1')])).toThrow('one and two');
  });
});

describe('keyDigest', () => {
  it('is the SHA-256 of the UTF-8 text', () => {
    expect(keyDigest('schlüssel')).toBe(createHash('sha256').update('schlüssel', 'utf8').digest('hex'));
  });
});
