import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createIssuedTokens, type TokenSettings } from './issued-tokens.ts';
import type { StaffKey } from './proxy-keys.ts';
import type { TokenStore } from './token-store.ts';
import { createMemoryTokenStore } from './token-store.ts';

const memory: TokenSettings = { redis_url: '', redis_prefix: 'a:' };
const keyOf = (sha256: string, more: Partial<StaffKey> = {}): StaffKey => ({
  ...{ name: sha256, owner: 'team', sha256, scopes: [], account: 'reader', companyKey: 'C-1' },
  ...more,
});
const [keyA, keyB] = [keyOf('key-a'), keyOf('key-b')];

function setUp(keys: readonly StaffKey[] = [keyA, keyB], wrap = (store: TokenStore) => store) {
  const time = { nowMs: 1_000 };
  const stores: TokenStore[] = [];
  const clock = () => time.nowMs;
  const createStore = () => {
    const store = wrap(createMemoryTokenStore(clock));
    stores.push(store);
    return store;
  };
  const tokens = createIssuedTokens(memory, keys, { clock, randomBytes, createStore });
  const issue = async (keySha256: string) => (await tokens.issue(keySha256, 60_000)) as string;
  return { time, stores, tokens, issue };
}

describe('an issued token', () => {
  test('identifies its key until it expires', async () => {
    const { time, tokens, issue } = setUp();
    const token = await issue('key-a');
    expect(await tokens.find(token)).toEqual({ keySha256: 'key-a', isExpired: false });
    time.nowMs += 60_000;
    expect(await tokens.find(token)).toEqual({ keySha256: 'key-a', isExpired: true });
  });

  test('is unique, and unknown unless issued', async () => {
    const { tokens, issue } = setUp();
    expect(await issue('key-a')).not.toBe(await issue('key-a'));
    expect(await tokens.find(randomBytes(32).toString('base64url'))).toBeUndefined();
  });

  test('is stored only by its digest', async () => {
    const saved: unknown[] = [];
    const { issue } = setUp(undefined, (store) => ({ ...store, save: (...all) => void saved.push(all) }));
    expect(JSON.stringify(saved)).not.toContain(await issue('key-a'));
    expect(saved).toHaveLength(1);
  });

  test('is not looked up unless it has the format of a token', () => {
    const failing = async () => Promise.reject(new Error('away'));
    const { tokens } = setUp(undefined, (store) => ({ ...store, find: failing }));
    expect(tokens.find('a-wrong-key')).toBeUndefined();
  });

  test('is deleted with its key, and is not revived with it', async () => {
    const { tokens, issue } = setUp();
    const [gone, kept] = [await issue('key-a'), await issue('key-b')];
    tokens.use(memory, [keyB]);
    tokens.use(memory, [keyA, keyB]);
    expect([await tokens.find(gone), await tokens.find(kept)]).toEqual([
      undefined,
      { keySha256: 'key-b', isExpired: false },
    ]);
    expect(await tokens.find(await issue('key-a'))).toBeDefined();
  });

  test.each([
    ['revoked', { revokedAtMs: 1_500 }],
    ['expired', { expiresAtMs: 1_500 }],
  ])('does not come back with a key that was %s and is valid again', async (_case, ended) => {
    const { time, tokens, issue } = setUp();
    const token = await issue('key-a');
    tokens.use(memory, [keyOf('key-a', ended), keyB]);
    time.nowMs = 2_000;
    expect(await tokens.find(token)).toEqual({ keySha256: 'key-a', isExpired: true });
    tokens.use(memory, [keyA, keyB]);
    expect(await tokens.find(token)).toEqual({ keySha256: 'key-a', isExpired: true });
  });

  test('of an ended key expires at the start, and of a removed key is deleted', async () => {
    const shortened: unknown[] = [];
    setUp([keyOf('key-a', { revokedAtMs: 500 }), keyB], (store) => ({
      ...store,
      shorten: (leftMs, others) => void shortened.push([Object.fromEntries(leftMs), others]),
    }));
    expect(shortened).toEqual([[{ 'key-a': 1, 'key-b': Infinity }, 'delete']]);
  });

  test('is kept for a key that is new or extended, as another process may have issued it', async () => {
    const shortened: unknown[] = [];
    const { tokens } = setUp([keyOf('key-a', { revokedAtMs: 500 })], (store) => ({
      ...store,
      shorten: (leftMs) => void shortened.push(leftMs),
    }));
    tokens.use(memory, [keyA, keyB]);
    expect(shortened).toHaveLength(1);
  });

  test('ends with its key when that is shortened while the token is being stored', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { time, tokens, stores } = setUp();
    const [store] = stores as [TokenStore];
    const save = store.save;
    store.save = async (...all) => {
      await promise;
      await save(...all);
    };
    const issued = tokens.issue('key-a', 60_000);
    tokens.use(memory, [keyOf('key-a', { expiresAtMs: 1_500 }), keyB]);
    resolve();
    const token = (await issued) as string;
    time.nowMs = 1_500;
    expect(await tokens.find(token)).toEqual({ keySha256: 'key-a', isExpired: true });
  });

  test('is not issued to a key that is removed while the token is being stored', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = (store: TokenStore): TokenStore => ({
      ...store,
      async save(...all) {
        await promise;
        await store.save(...all);
      },
    });
    const { tokens } = setUp(undefined, slow);
    const issued = tokens.issue('key-a', 60_000);
    tokens.use(memory, [keyB]);
    resolve();
    expect(await issued).toBeUndefined();
  });

  test('is not found before its key’s tokens are deleted', async () => {
    let isAway = false;
    const wrap = (store: TokenStore): TokenStore => ({
      ...store,
      async shorten(...all) {
        if (isAway) throw new Error('away');
        await store.shorten(...all);
      },
    });
    const { tokens, issue } = setUp(undefined, wrap);
    const token = await issue('key-a');
    isAway = true;
    tokens.use(memory, [keyB]);
    tokens.use(memory, [keyA, keyB]);
    await expect(tokens.find(token)).rejects.toThrow('away');
    await expect(tokens.issue('key-a', 1)).rejects.toThrow('away');
    isAway = false;
    expect(await tokens.find(token)).toBeUndefined();
    expect(await tokens.find(await issue('key-a'))).toBeDefined();
  });

  test('survives every change of the settings except that of the store', async () => {
    const { stores, tokens, issue } = setUp();
    const token = await issue('key-a');
    tokens.use({ ...memory, redis_prefix: 'b:' }, [keyA]);
    expect(await tokens.find(token)).toBeDefined();
    tokens.use({ ...memory, redis_url: 'redis://127.0.0.1:1' }, [keyA]);
    expect([stores.length, await tokens.find(token)]).toEqual([2, undefined]);
  });
});
