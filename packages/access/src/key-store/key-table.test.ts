import { describe, expect, it } from 'vitest';
import { type KeyRecord, keyDigest } from '../keys/index.ts';
import { KeyTable } from './key-table.ts';

const record = (name: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ name, owner: name, sha256: keyDigest(name), scopes: [] },
  ...more,
});

describe('KeyTable', () => {
  it('returns each key as it was put, and nothing for other digests', () => {
    const table = new KeyTable();
    const records = Array.from({ length: 5_000 }, (_, i) =>
      record(`key-${i}`, {
        ...(i % 2 === 0 ? {} : { owner: `owner-${i % 7}` }),
        ...(i % 3 === 0 ? {} : { scopes: ['read', `scope-${i % 5}`] }),
        ...(i % 4 === 0 ? {} : { plan: 'gold' }),
        ...(i % 5 === 0 ? {} : { expiresAtMs: 1_800_000_000_000 + i }),
        ...(i % 9 === 0 ? { attributes: `{"account":"account-${i % 2}"}` } : {}),
        ...(i % 6 === 0 ? {} : { revokedAtMs: 1_700_000_000_000 + i }),
      }),
    );
    for (const each of records) table.put(each);
    expect(table.size).toBe(5_000);
    expect(records.map(({ sha256 }) => table.find(sha256))).toEqual(records);
    expect(table.find(keyDigest('another'))).toBeUndefined();
  });

  it('replaces the key with the same digest, its name and owner included', () => {
    const table = new KeyTable();
    for (const name of ['a', 'b', 'c']) table.put(record(name));
    const changed = record('b', { name: 'renamed', owner: 'acme', plan: 'free', revokedAtMs: 5 });
    table.put(changed);
    table.put(changed);
    expect(table.size).toBe(3);
    expect(table.find(keyDigest('b'))).toEqual(changed);
    expect(table.find(keyDigest('c'))).toEqual(record('c'));
  });

  it('finds digests that begin alike', () => {
    const table = new KeyTable();
    const digests = ['0', '1', '2'].map((last) => `${'ab'.repeat(31)}c${last}`);
    for (const sha256 of digests.slice(0, 2)) table.put(record(sha256.slice(-2), { sha256 }));
    expect(digests.map((sha256) => table.find(sha256)?.name)).toEqual(['c0', 'c1', undefined]);
  });
});
