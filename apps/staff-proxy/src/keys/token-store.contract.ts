import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TokenStore, tokensPerKeyMax } from './token-store.ts';

export interface OpenTokenStore {
  readonly store: TokenStore;
  /** Advances the store's time. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The contract of every token store. `open` returns an empty one. */
export function describeTokenStore(name: string, open: () => Promise<OpenTokenStore>): void {
  describe(name, () => {
    let opened: OpenTokenStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const save = async (digest: string, key = 'key-a', lifetimeMs = 60_000, isStored = false) =>
      opened.store.save(digest, key, lifetimeMs, isStored);
    const find = async (digest: string) => opened.store.find(digest);
    const valid = (keySha256: string) => ({ keySha256, isExpired: false });

    test('finds the key of a token, expired after its lifetime and unknown after a second one', async () => {
      await save('one');
      expect(await find('one')).toEqual(valid('key-a'));
      await opened.pass(40_000);
      expect(await find('one')).toEqual(valid('key-a'));
      await opened.pass(20_000);
      expect(await find('one')).toEqual({ keySha256: 'key-a', isExpired: true });
      await opened.pass(60_000);
      await save('two', 'key-b');
      expect(await find('one')).toBeUndefined();
    });

    test('does not find an unknown token', async () => {
      expect(await find('made-up')).toBeUndefined();
    });

    test('keeps the lifetime of each token', async () => {
      await save('long');
      await save('short', 'key-a', 10_000);
      await opened.pass(10_000);
      expect([await find('long'), await find('short')]).toEqual([
        valid('key-a'),
        { keySha256: 'key-a', isExpired: true },
      ]);
      await opened.pass(30_000);
      expect(await find('long')).toEqual(valid('key-a'));
    });

    test('deletes the oldest token of a key at its limit, and none of other keys', async () => {
      await save('other', 'key-b');
      for (let i = 0; i <= tokensPerKeyMax; i++) await save(`token-${i}`);
      expect(await find('token-0')).toBeUndefined();
      expect(await Promise.all(['token-1', `token-${tokensPerKeyMax}`].map(find))).toEqual([
        valid('key-a'),
        valid('key-a'),
      ]);
      expect(await find('other')).toEqual(valid('key-b'));
    });

    test('deletes the tokens of one key, and stores new ones', async () => {
      await save('gone');
      await save('kept', 'key-b');
      await opened.store.shorten(new Map([['key-a', 0]]), 'keep');
      await save('new');
      expect([await find('gone'), await find('kept'), await find('new')]).toEqual([
        undefined,
        valid('key-b'),
        valid('key-a'),
      ]);
    });

    test('deletes the tokens of all keys that are neither named nor in the key store', async () => {
      await save('gone');
      await save('ended', 'key-b');
      await save('kept', 'key-c');
      await save('stored', 'key-d', 60_000, true);
      await save('stored-ended', 'key-e', 60_000, true);
      const leftMs = new Map([
        ['key-b', 0],
        ['key-c', Infinity],
        ['key-e', 0],
      ]);
      await opened.store.shorten(leftMs, 'delete');
      expect(await Promise.all(['gone', 'ended', 'stored-ended'].map(find))).toEqual([undefined, undefined, undefined]);
      expect(await Promise.all(['kept', 'stored'].map(find))).toEqual([valid('key-c'), valid('key-d')]);
    });

    test('shortens the lifetime of a key’s tokens, and never extends it', async () => {
      await save('long');
      await save('short', 'key-a', 10_000);
      await save('other', 'key-b');
      await opened.store.shorten(new Map([['key-a', 30_000]]), 'keep');
      await opened.store.shorten(new Map([['key-a', 50_000]]), 'keep');
      await opened.pass(12_000);
      const expired = { keySha256: 'key-a', isExpired: true };
      expect([await find('long'), await find('short')]).toEqual([valid('key-a'), expired]);
      await opened.pass(18_000);
      expect([await find('long'), await find('other')]).toEqual([expired, valid('key-b')]);
    });
  });
}
