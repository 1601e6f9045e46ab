import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'jose';
import { expect, it } from 'vitest';
import { IssuerKeys, type KeySet, KeysUnavailableError } from './issuer-keys.ts';
import { createSharedKeyLoader } from './shared-key-loader.ts';

const source = { name: 'corp', issuer: 'https://id.example', jwksUrl: undefined };
const ages = { refreshMs: 300_000, staleMsMax: 86_400_000 };

function createJwk(kid: string): JWK {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...publicKey.export({ format: 'jwk' }), kid } as JWK;
}

function create() {
  const state = { ms: 0, fetches: 0, keys: [createJwk('a')], failure: undefined as Error | undefined };
  const clock = () => state.ms;
  const load = async () => {
    state.fetches++;
    if (state.failure !== undefined) throw state.failure;
    return { keys: state.keys, ageMs: 0 };
  };
  return { state, clock, load, keys: new IssuerKeys({ source, load, clock }) };
}

it('coalesces the first fetch', async () => {
  const { keys, state } = create();
  const sets = await Promise.all([keys.require(ages), keys.require(ages), keys.require(ages)]);
  expect([new Set(sets).size, state.fetches]).toEqual([1, 1]);
});

it('fetches once in 30 s for 10,000 unknown keys', async () => {
  const { keys, state } = create();
  const set = await keys.require(ages);
  state.ms = 30_000;
  for (let i = 0; i < 10_000; i++) {
    expect(await keys.newerThan(set)).toBeUndefined();
    state.ms += 2.9;
  }
  expect(state.fetches).toBe(2);
});

it('returns a rotated key once the cool-down is over', async () => {
  const { keys, state } = create();
  const set = await keys.require(ages);
  state.keys = [createJwk('b')];
  state.ms = 29_999;
  expect(await keys.newerThan(set)).toBeUndefined();
  state.ms = 30_000;
  const newer = await keys.newerThan(set);
  expect([newer === undefined, newer === keys.usable(ages)]).toEqual([false, true]);
});

it('fetches in the background at the refresh age, and keeps the version of equal keys', async () => {
  const { keys, state } = create();
  const set = await keys.require(ages);
  state.ms = 300_001;
  expect(keys.usable(ages)).toBe(set);
  expect(await keys.newerThan(set)).toBeUndefined();
  expect([state.fetches, keys.ageMs, keys.usable(ages) === set]).toEqual([2, 0, true]);
});

it('tries an unknown issuer again after 1, 2, 4 … 30 s', async () => {
  const { keys, state } = create();
  state.failure = new Error('refused');
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    const error: unknown = await keys.require(ages).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KeysUnavailableError);
    const { retryMs } = error as KeysUnavailableError;
    waits.push(retryMs);
    state.ms += retryMs - 1;
    await expect(keys.require(ages)).rejects.toThrow('not available');
    state.ms += 1;
  }
  expect([waits, state.fetches]).toEqual([[1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000], 7]);
});

it('uses keys in an outage until their maximum age, and asks once in 30 s', async () => {
  const { keys, state } = create();
  const set = await keys.require(ages);
  state.failure = new Error('refused');
  for (state.ms = 0; state.ms <= ages.staleMsMax; state.ms += 10_000) {
    expect(keys.usable(ages)).toBe(set);
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(keys.usable(ages)).toBeUndefined();
  expect(state.fetches).toBeLessThanOrEqual(ages.staleMsMax / 30_000 + 1);
  expect(keys.isFailing).toBe(true);
});

it('cannot decide about an unknown key while the issuer cannot be asked', async () => {
  const { keys, state } = create();
  const set = await keys.require(ages);
  state.failure = new Error('refused');
  state.ms = 30_000;
  await expect(keys.newerThan(set)).rejects.toThrow(KeysUnavailableError);
});

it('shares one fetch between processes, with its age', async () => {
  const { state, load, clock } = create();
  const shared = createSharedKeyLoader({ load, clock });
  const workers = Array.from({ length: 4 }, () => new IssuerKeys({ source, load: shared, clock }));
  const sets = await Promise.all(workers.map((keys) => keys.require(ages)));
  expect(state.fetches).toBe(1);
  state.ms = 29_000;
  const late = new IssuerKeys({ source, load: shared, clock });
  const set = await late.require(ages);
  expect([state.fetches, late.ageMs]).toEqual([1, 29_000]);
  state.keys = [createJwk('b')];
  state.ms = 30_000;
  const newer = await Promise.all(workers.map((keys, i) => keys.newerThan(sets[i] as KeySet)));
  expect([state.fetches, newer.every((one) => one !== undefined)]).toEqual([2, true]);
  expect(await late.newerThan(set)).toBeDefined();
  expect(state.fetches).toBe(2);
});

it('shares a failure for a second', async () => {
  const { state, load, clock } = create();
  const shared = createSharedKeyLoader({ load, clock });
  state.failure = new Error('refused');
  for (let i = 0; i < 4; i++) await expect(shared(source)).rejects.toThrow('refused');
  state.failure = undefined;
  state.ms = 1_000;
  expect((await shared(source)).keys).toEqual(state.keys);
  expect(state.fetches).toBe(2);
});
