import { expect, it, onTestFinished, vi } from 'vitest';
import { type KeyRecord, keyDigest } from '../keys/index.ts';
import { type KeyPage, KeyStoreError } from './key-store.ts';
import { rejectOtherStore } from './reject-other-store.ts';
import { createStoredKeys } from './stored-keys.ts';

const staleMsMax = 60_000;

/** A store in memory, and what follows it; each `poll` is one look at the store. */
async function followed({ isDown = false } = {}) {
  let timeMs = 1_000;
  let next = Promise.withResolvers<void>();
  let polled = Promise.withResolvers<void>();
  const store = {
    epoch: 'a',
    revision: 0,
    keys: new Map<string, { key: KeyRecord; revision: number; isDamaged?: boolean }>(),
    isDown,
  };
  const onChange = vi.fn();
  const onInvalid = vi.fn();
  const onOutage = vi.fn();
  const fail = () => {
    if (store.isDown) throw new KeyStoreError('PostgreSQL cannot be reached (ECONNREFUSED).');
  };
  const pages: number[] = [];
  const keys = createStoredKeys({
    reader: rejectOtherStore({
      async head() {
        fail();
        return { epoch: store.epoch, revision: store.revision, ageMs: 0 };
      },
      async changesAfter(cursor): Promise<KeyPage> {
        fail();
        const changed = [...store.keys.values()].filter(({ revision }) => revision > cursor.revision);
        const rows = changed.sort((a, b) => a.revision - b.revision).slice(0, 2);
        pages.push(rows.length);
        return {
          keys: rows.filter(({ isDamaged }) => !isDamaged).map(({ key }) => key),
          invalidCount: rows.filter(({ isDamaged }) => isDamaged).length,
          next: { revision: rows.at(-1)?.revision ?? cursor.revision, name: '' },
          isLast: rows.length < 2,
        };
      },
      close: async () => {},
    }),
    clock: () => timeMs,
    async wait(_ms, signal) {
      polled.resolve();
      signal.addEventListener('abort', () => next.resolve());
      await next.promise;
    },
    staleMsMax: () => staleMsMax,
    onChange,
    onInvalid,
    onOutage,
  });
  onTestFinished(() => keys.close());
  await polled.promise;
  const put = (name: string, more: Partial<KeyRecord> = {}) => {
    const key = { name, owner: name, sha256: keyDigest(name), scopes: [], ...more };
    store.keys.set(name, { key, revision: ++store.revision });
  };
  const damage = (name: string) => {
    put(name);
    store.keys.set(name, { ...(store.keys.get(name) as { key: KeyRecord; revision: number }), isDamaged: true });
  };
  return {
    ...{ keys, store, put, damage, pages, onChange, onInvalid, onOutage },
    pass: (ms: number) => {
      timeMs += ms;
    },
    async poll() {
      const former = next;
      next = Promise.withResolvers<void>();
      polled = Promise.withResolvers<void>();
      former.resolve();
      await polled.promise;
    },
    find: (name: string, local?: KeyRecord) => keys.find(keyDigest(name), local),
  };
}

const unavailable = expect.objectContaining({ status: 503, code: 'unavailable', headers: { 'Retry-After': '1' } });

/** Returns what a function throws. */
function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

it('finds the keys of the store, and follows their changes page by page', async () => {
  const { put, poll, find, pages, onChange, keys } = await followed();
  for (const name of ['a', 'b', 'c']) put(name);
  await poll();
  expect([find('a')?.name, find('c')?.name, find('d')]).toEqual(['a', 'c', undefined]);
  expect(pages).toEqual([0, 2, 1]);
  put('b', { revokedAtMs: 5 });
  await poll();
  expect([find('b')?.revokedAtMs, pages.slice(3)]).toEqual([5, [1]]);
  await poll();
  expect([pages.length, onChange.mock.calls.length]).toEqual([4, 3]);
  expect(keys.status()).toEqual({ status: 'ready', keys: 3, age_seconds: 0 });
});

it('returns the same record until something changes', async () => {
  const { put, poll, find } = await followed();
  put('a');
  await poll();
  expect(find('a')).toBe(find('a'));
});

it('prefers the record of the store to a local one', async () => {
  const { put, poll, find } = await followed();
  put('a', { revokedAtMs: 5 });
  await poll();
  const local = { name: 'l', owner: 'l', sha256: keyDigest('a'), scopes: [] };
  expect(find('a', local)?.revokedAtMs).toBe(5);
  expect(find('b', local)).toBe(local);
});

it('uses the last known keys while the store is away, then rejects them with 503, and never one that is unknown with 401', async () => {
  const { put, poll, find, pass, store, keys, onOutage } = await followed();
  for (const name of ['a', 'revoked']) put(name, name === 'revoked' ? { revokedAtMs: 5 } : {});
  await poll();
  store.isDown = true;
  pass(staleMsMax);
  await poll();
  expect(find('a')?.name).toBe('a');
  expect(thrown(() => find('created-since'))).toEqual(unavailable);
  expect(keys.status()).toEqual({
    status: 'degraded',
    reason: 'PostgreSQL cannot be reached (ECONNREFUSED). The last known keys are used.',
    keys: 2,
    age_seconds: 60,
  });
  pass(1);
  expect(thrown(() => find('a'))).toEqual(unavailable);
  expect(find('revoked')?.revokedAtMs).toBe(5);
  const local = { name: 'l', owner: 'l', sha256: keyDigest('l'), scopes: [] };
  expect(find('l', local)).toBe(local);
  expect(keys.status()).toMatchObject({ status: 'degraded', reason: expect.stringContaining('rejected with 503') });

  store.isDown = false;
  await poll();
  expect([find('a')?.name, find('created-since')]).toEqual(['a', undefined]);
  expect(keys.status().status).toBe('ready');
  expect(onOutage.mock.calls.map(([error]) => (error as Error | undefined)?.name)).toEqual([
    'KeyStoreError',
    undefined,
  ]);
});

it('rejects keys with 503 when the store is away at the start, until it is there', async () => {
  const { put, poll, find, store, keys } = await followed({ isDown: true });
  await keys.opened();
  expect(thrown(() => find('a'))).toEqual(unavailable);
  expect(keys.status()).toMatchObject({ status: 'degraded', keys: 0, age_seconds: null });
  store.isDown = false;
  put('a');
  await poll();
  expect([find('a')?.name, keys.status().status]).toEqual(['a', 'ready']);
});

it('does not use known keys for longer when its process was suspended', async () => {
  const { put, poll, find, pass } = await followed();
  put('a');
  await poll();
  pass(staleMsMax + 1);
  expect(thrown(() => find('a'))).toEqual(unavailable);
  expect(thrown(() => find('b'))).toEqual(unavailable);
});

it('reads the keys at once, although the settings exist only after its creation', async () => {
  let staleMs: number | undefined;
  const onOutage = vi.fn();
  const record: KeyRecord = { name: 'a', owner: 'a', sha256: keyDigest('a'), scopes: [] };
  const keys = createStoredKeys({
    reader: {
      head: async () => ({ epoch: 'a', revision: 1, ageMs: 0 }),
      changesAfter: async () => ({ keys: [record], invalidCount: 0, next: { revision: 1, name: 'a' }, isLast: true }),
      close: async () => {},
    },
    clock: () => 1_000,
    wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    staleMsMax() {
      if (staleMs === undefined) throw new ReferenceError('There are no settings yet.');
      return staleMs;
    },
    ...{ onChange() {}, onInvalid() {}, onOutage },
  });
  onTestFinished(() => keys.close());
  staleMs = staleMsMax;
  await keys.opened();
  expect(onOutage).not.toHaveBeenCalled();
  expect(keys.find(record.sha256, undefined)).toEqual(record);
});

it('has everything checked again after a time in which keys could not be checked', async () => {
  const { put, poll, pass, store, onChange } = await followed();
  put('a');
  await poll();
  const before = onChange.mock.calls.length;
  await poll();
  expect(onChange).toHaveBeenCalledTimes(before);
  store.isDown = true;
  await poll();
  store.isDown = false;
  await poll();
  expect(onChange).toHaveBeenCalledTimes(before + 1);
  pass(staleMsMax + 1);
  await poll();
  expect(onChange).toHaveBeenCalledTimes(before + 2);
});

it('counts a store that was emptied as away, also when it has keys again, until its backup is restored', async () => {
  const { put, poll, find, store, keys } = await followed();
  for (const name of ['a', 'b']) put(name);
  await poll();
  const backup = new Map(store.keys);
  store.keys.clear();
  store.epoch = 'other';
  put('new');
  await poll();
  expect([find('a')?.name, find('b')?.name]).toEqual(['a', 'b']);
  expect(thrown(() => find('new'))).toEqual(unavailable);
  expect(keys.status()).toMatchObject({
    status: 'degraded',
    reason: expect.stringMatching(/emptied.*last known keys/),
  });
  Object.assign(store, { epoch: 'a', keys: backup, revision: 2 });
  await poll();
  expect([find('a')?.name, find('new'), keys.status().status]).toEqual(['a', undefined, 'ready']);
});

it('drops the keys that a backup lacks, when it was restored and changed while the store was away', async () => {
  const { put, poll, find, store } = await followed();
  for (const name of ['a', 'lost']) put(name);
  await poll();
  store.isDown = true;
  await poll();
  store.isDown = false;
  store.keys.delete('lost');
  put('b');
  await poll();
  expect([find('a')?.name, find('b')?.name, find('lost')]).toEqual(['a', 'b', undefined]);
});

it('drops a key whose stored entry becomes invalid, and reads all keys once for it', async () => {
  const { put, damage, poll, find, pages, keys, onInvalid } = await followed();
  for (const name of ['a', 'b', 'c']) put(name);
  await poll();
  damage('b');
  await poll();
  expect([find('a')?.name, find('b')]).toEqual(['a', undefined]);
  expect(keys.status()).toMatchObject({ status: 'degraded', invalid: 1, keys: 2 });
  const { length } = pages;
  put('c', { revokedAtMs: 5 });
  await poll();
  expect([find('c')?.revokedAtMs, find('b'), pages.slice(length)]).toEqual([5, undefined, [1]]);
  expect(onInvalid.mock.calls).toEqual([[1]]);
});

it('reads all keys once when the revision goes back, and follows the changes after it', async () => {
  const { put, poll, find, store, pages } = await followed();
  for (const name of ['a', 'b', 'c']) put(name);
  await poll();
  store.revision = 1;
  await poll();
  const { length } = pages;
  await poll();
  await poll();
  expect(pages).toHaveLength(length);
  store.keys.set('b', { key: { ...(find('b') as KeyRecord), revokedAtMs: 5 }, revision: ++store.revision });
  await poll();
  expect([find('a')?.name, find('b')?.revokedAtMs, find('c')?.name]).toEqual(['a', 5, 'c']);
});
