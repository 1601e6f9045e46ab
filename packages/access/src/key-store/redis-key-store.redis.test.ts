import { createClient } from 'redis';
import { expect, it, onTestFinished } from 'vitest';
import { checkKeys } from '../../test/check-keys.ts';
import { startRedis } from '../../test/start-redis.ts';
import { create, describeKeyStore, describeSharedKeyStore, type OpenOptions, otherKeys } from './key-store.contract.ts';
import { firstCursor, type KeyKind } from './key-store.ts';
import { openKeyStore } from './open-key-store.ts';

async function start(kindOfKeys?: KeyKind) {
  const { url, close } = await startRedis();
  const settings = { key_store_url: url, redis_prefix: 'test:' };
  return {
    url,
    open: ({ check = checkKeys, kind = kindOfKeys }: OpenOptions = {}) => openKeyStore(settings, check, kind),
    close,
  };
}

describeKeyStore('Redis', start);
describeKeyStore('Redis, with keys of another kind of server', () => start(otherKeys));
describeSharedKeyStore('Redis for several machines', start);

it('is another store after FLUSHALL, and reports what else someone has damaged, one key or all of them', async () => {
  const { url, open, close } = await start();
  const store = await open();
  const client = createClient({ url });
  await client.connect();
  onTestFinished(async () => {
    client.destroy();
    await store.close();
    await close();
  });
  await create(store, 'lost');
  const before = await store.head();
  await client.flushAll();
  await expect(store.head()).rejects.toThrow('The key store has no keys yet.');
  for (const name of ['good', 'text', 'null', 'gone', 'plan']) await create(store, name);
  expect((await store.head()).epoch).not.toBe(before.epoch);

  const entries = 'test:{keys}:entries';
  await client.hSet(entries, { text: 'no JSON', null: '{"entry":"null"}' });
  await client.hSet(entries, 'plan', String(await client.hGet(entries, 'plan')).replace(/}$/, ',"plan":5}'));
  await client.hDel(entries, 'gone');
  expect(await store.changesAfter(firstCursor)).toMatchObject({ keys: [{ name: 'good' }], invalidCount: 4 });
  for (const read of [() => store.list(), () => store.page({ after: '', limit: 9 }), () => store.find('text')]) {
    await expect(read()).rejects.toMatchObject({ name: 'KeyStoreError', message: expect.stringContaining('damaged') });
  }
  await client.hSet('test:{keys}:head', 'revision', 'none');
  await expect(store.head()).rejects.toMatchObject({ name: 'KeyStoreError' });
  await create(store, 'late');
  await client.del('test:{keys}:entries');
  // A store that was written before names had an order of their own.
  for (const name of ['d', 'b']) await create(store, name);
  await client.del('test:{keys}:names');
  await create(store, 'a');
  await client.del('test:{keys}:names');
  expect((await store.page({ after: 'a1', limit: 9 })).map(({ name }) => name)).toEqual(['b', 'd']);
  // A server that knows nothing of the order creates a key beside one that does.
  await client.zRem('test:{keys}:names', 'b');
  expect((await store.page({ after: 'a1', limit: 9 })).map(({ name }) => name)).toEqual(['b', 'd']);
  expect((await store.head()).revision).toBeGreaterThan(before.revision);
});
