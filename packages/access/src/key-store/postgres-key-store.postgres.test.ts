import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { checkKeys } from '../../test/check-keys.ts';
import { keyDigest } from '../keys/index.ts';
import { create, describeKeyStore, describeSharedKeyStore, type OpenOptions, otherKeys } from './key-store.contract.ts';
import { firstCursor, type KeyKind, type KeyReader, type KeyStore, pageKeys } from './key-store.ts';
import { openKeyStore } from './open-key-store.ts';

/** Creates a database of its own on the server of the run. */
async function start(kindOfKeys?: KeyKind) {
  const url = new URL(process.env.TEST_POSTGRES_URL as string);
  const name = `keys_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  url.pathname = `/${name}`;
  const settings = { key_store_url: url.href, redis_prefix: '' };
  const open = ({ check = checkKeys, kind = kindOfKeys }: OpenOptions = {}) => openKeyStore(settings, check, kind);
  return { url, open, close: async () => {} };
}

describeKeyStore('PostgreSQL', start);
describeKeyStore('PostgreSQL, with keys of another kind of server', () => start(otherKeys));
describeSharedKeyStore('PostgreSQL for several machines', start);

/** Returns a store in a database of its own, with one key. */
async function startWithKey() {
  const { url, open } = await start();
  const store: KeyStore & KeyReader = await open();
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  onTestFinished(async () => {
    await Promise.all([client.end(), store.close()]);
  });
  await create(store, 'first');
  return { url, store, client };
}

it('is another store after someone has emptied its tables, and loses no key that is created then', async () => {
  const { store, client } = await startWithKey();
  const before = await store.head();
  await client.query('TRUNCATE rostergate_keys, rostergate_key_head');
  await expect(store.head()).rejects.toThrow('The key store has no keys yet.');
  await Promise.all(['a', 'b', 'c'].map((name) => create(store, name)));
  const after = await store.head();
  expect(after.epoch).not.toBe(before.epoch);
  const { keys, next } = await store.changesAfter(firstCursor);
  expect(keys.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c']);
  expect(next.revision).toBe(after.revision);
});

it('returns each key once, with its own fields, over several pages', async () => {
  const { store, client } = await startWithKey();
  await client.query(`
    INSERT INTO rostergate_keys SELECT 'many-' || i, 'many', 1 + i % 3, CASE WHEN i % 2 = 0 THEN 'gold' END,
      jsonb_build_object('sha256', encode(sha256(i::text::bytea), 'hex'), 'scopes', jsonb_build_array('of-' || i % 5))
    FROM generate_series(1, ${pageKeys}) AS i`);
  const first = await store.changesAfter(firstCursor);
  const second = await store.changesAfter(first.next);
  expect([first.isLast, first.keys.length, second.isLast]).toEqual([false, pageKeys, true]);
  const found = new Map([...first.keys, ...second.keys].map((key) => [key.name, key]));
  expect([found.size, second.keys.map(({ name }) => name)]).toEqual([pageKeys + 1, ['first']]);
  for (let i = 1; i <= pageKeys; i++) {
    const { sha256, plan, scopes } = found.get(`many-${i}`) ?? {};
    expect([sha256, plan, scopes]).toEqual([keyDigest(`${i}`), i % 2 === 0 ? 'gold' : undefined, [`of-${i % 5}`]]);
  }
});

it('returns a key that was created after the empty page behind the last full one was read', async () => {
  const { store, client } = await startWithKey();
  // With the first key exactly one page.
  await client.query(`
    INSERT INTO rostergate_keys SELECT 'many-' || i, 'many', 1, NULL,
      jsonb_build_object('sha256', encode(sha256(i::text::bytea), 'hex'), 'scopes', '[]'::jsonb)
    FROM generate_series(1, ${pageKeys - 1}) AS i`);
  const first = await store.changesAfter(firstCursor);
  expect([first.keys.length, first.isLast]).toEqual([pageKeys, false]);
  await create(store, 'late');
  const { keys, isLast } = await store.changesAfter(first.next);
  expect([keys.map(({ name }) => name), isLast]).toEqual([['late'], true]);
});

it('takes the next edit although a writer froze in the middle of its own', async () => {
  const { url, store } = await startWithKey();
  // Passes everything on until the writer has locked out the others.
  const link = createServer((near) => {
    const far = connect(Number(url.port), url.hostname);
    onTestFinished(() => void far.destroy());
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('data', (data) => void far.write(data));
    far.on('close', () => near.destroy());
    let isLocking = false;
    near.on('data', (data) => {
      isLocking ||= data.includes('FOR UPDATE');
    });
    far.on('data', (data) => {
      if (isLocking) frozen.resolve();
      else near.write(data);
    });
  }).listen(0, '127.0.0.1');
  const frozen = Promise.withResolvers<void>();
  await once(link, 'listening');
  onTestFinished(() => void link.close());
  const linked = new URL(url);
  linked.port = String((link.address() as AddressInfo).port);
  const writer = await openKeyStore({ key_store_url: linked.href, redis_prefix: '' }, checkKeys);
  const frozenEdit = create(writer, 'frozen').catch((error: unknown) => error);
  await frozen.promise;
  await create(store, 'next');
  expect((await store.find('next'))?.name).toBe('next');
  expect(await frozenEdit).toMatchObject({ name: 'KeyStoreError' });
  await writer.close();
});

it('reports a damaged entry, rather than failing at it or storing it again', async () => {
  const { store, client } = await startWithKey();
  await create(store, 'other', { owner: 'first' });
  await client.query(`UPDATE rostergate_keys SET entry = '"text"' WHERE name = 'other'`);
  const reads = [() => store.list(), () => store.page({ after: '', limit: 9 }), () => store.find('other')];
  for (const read of [...reads, () => create(store, 'more', { owner: 'first' })]) {
    await expect(read()).rejects.toMatchObject({ name: 'KeyStoreError', message: expect.stringContaining('damaged') });
  }
  expect(await store.changesAfter(firstCursor)).toMatchObject({ keys: [{ name: 'first' }], invalidCount: 1 });
});
