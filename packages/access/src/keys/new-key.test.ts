import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyDigest } from './keyring.ts';
import { createKey, parseKey } from './new-key.ts';

describe('createKey', () => {
  it('creates keys of the documented form, with their digest', () => {
    const { key, sha256 } = createKey('rg', randomBytes);
    expect(key).toMatch(/^rg_live_[0-9A-Za-z]{32}_[0-9a-f]{8}$/);
    expect(sha256).toBe(keyDigest(key));
  });

  it('draws every letter equally often, by skipping bytes above the last whole alphabet', () => {
    const bytes = [255, 248, ...Array.from({ length: 62 }, (_, i) => i)];
    const { key } = createKey('rg', (count) => Uint8Array.from({ length: count }, () => bytes.shift() ?? 0));
    expect(key.slice('rg_live_'.length, -9)).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUV');
  });

  it.each(['', 'R', 'RG', 'r_g', '1rg', 'x'.repeat(17)])('rejects the prefix "%s"', (prefix) => {
    expect(() => createKey(prefix, randomBytes)).toThrow(RangeError);
  });
});

describe('parseKey', () => {
  it('accepts every created key', () => {
    for (const prefix of ['rg', 'rostergate', 'x1'])
      expect(parseKey(createKey(prefix, randomBytes).key)).toEqual({ prefix });
  });

  it('rejects a key with one mistyped character', () => {
    const { key } = createKey('rg', randomBytes);
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...'0aZ_-'), (at, letter) => {
        fc.pre(key[at] !== letter);
        expect(parseKey(key.slice(0, at) + letter + key.slice(at + 1))).toBeNull();
      }),
    );
  });

  it('rejects a truncated or padded key', () => {
    const { key } = createKey('rg', randomBytes);
    for (const text of ['', key.slice(0, -1), `${key} `, ` ${key}`, 'rg_live_']) expect(parseKey(text)).toBeNull();
  });
});
