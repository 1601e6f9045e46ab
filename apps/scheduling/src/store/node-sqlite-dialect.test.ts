import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, Kysely } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts';

interface Tables {
  things: { id: number; name: string };
}

function open() {
  const database = new DatabaseSync(':memory:');
  database.exec('create table things (id integer primary key, name text not null) strict');
  return { database, db: new Kysely<Tables>({ dialect: createNodeSqliteDialect(database) }) };
}

/** From now on the disk fails for statements that begin like this. */
function failOn(database: DatabaseSync, start: RegExp, errcode: number): void {
  const prepare = database.prepare.bind(database);
  vi.spyOn(database, 'prepare').mockImplementation((sql) => {
    const statement = prepare(sql);
    const fail = () => {
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });
    };
    return start.test(sql) ? Object.assign(statement, { all: fail, run: fail }) : statement;
  });
}

test('prepares a text once, and again only after 500 others', async () => {
  const { database, db } = open();
  const prepare = vi.spyOn(database, 'prepare');
  const ask = (n: number) => db.executeQuery(CompiledQuery.raw(`select ${n} as n`));
  for (let i = 0; i < 10; i++) await ask(0);
  expect(prepare).toHaveBeenCalledTimes(1);
  for (let n = 1; n <= 500; n++) await ask(n);
  await ask(0);
  expect(prepare).toHaveBeenCalledTimes(502);
});

test('distinguishes rows from counts', async () => {
  const { db } = open();
  const added = await db.insertInto('things').values({ id: 7, name: 'a' }).executeTakeFirst();
  expect(added).toMatchObject({ insertId: 7n, numInsertedOrUpdatedRows: 1n });
  expect(await db.insertInto('things').values({ id: 8, name: 'b' }).returningAll().execute()).toHaveLength(1);
  const { numUpdatedRows } = await db.updateTable('things').set({ name: 'c' }).executeTakeFirst();
  expect(numUpdatedRows).toBe(2n);
});

test('rolls back a failed transaction, and keeps other statements out of it', async () => {
  const { db } = open();
  const failing = db.transaction().execute(async (trx) => {
    await trx.insertInto('things').values({ id: 1, name: 'a' }).execute();
    await new Promise(setImmediate);
    throw new Error('stop');
  });
  const beside = db.selectFrom('things').selectAll().execute();
  await expect(failing).rejects.toThrow('stop');
  expect(await beside).toEqual([]);
});

test('rejects a write when the disk is full, rolls it back, and recovers', async () => {
  const { database, db } = open();
  const pages = () => Number(Object.values(database.prepare('pragma page_count').get() ?? {})[0]);
  const add = (id: number, name: string) =>
    db.transaction().execute(async (trx) => {
      await trx.insertInto('things').values({ id, name: 'small' }).execute();
      await trx
        .insertInto('things')
        .values({ id: id + 1, name })
        .execute();
    });
  database.exec(`pragma max_page_count = ${pages() + 1}`);
  await expect(add(1, 'x'.repeat(100_000))).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '10' },
  });
  expect(await db.selectFrom('things').selectAll().execute()).toEqual([]);
  database.exec('pragma max_page_count = 1000');
  await add(1, 'x'.repeat(100_000));
  expect(await db.selectFrom('things').select('id').execute()).toHaveLength(2);
});

test('reports an unknown outcome after a disk failure, without Retry-After', async () => {
  const { database, db } = open();
  failOn(database, /^(insert|commit)/, 778);
  const writes = [
    () => db.insertInto('things').values({ id: 1, name: 'a' }).execute(),
    () => db.insertInto('things').values({ id: 1, name: 'a' }).returningAll().execute(),
    () => db.transaction().execute((trx) => trx.selectFrom('things').selectAll().execute()),
  ];
  for (const write of writes) {
    await expect(write()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is unknown'),
      headers: expect.not.objectContaining({ 'Retry-After': expect.anything() }),
    });
  }
});

test('reports a read from a failing disk as an internal error', async () => {
  const { database, db } = open();
  failOn(database, /^select/, 266);
  const read = db.selectFrom('things').selectAll().execute();
  await expect(read).rejects.toMatchObject({ errcode: 266, message: 'disk I/O error' });
});

test('gives up on a lock of another process, and works afterwards', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'dialect-')), 'things.sqlite');
  const [database, other] = [new DatabaseSync(file), new DatabaseSync(file)];
  database.exec('create table things (id integer primary key, name text not null) strict');
  const db = new Kysely<Tables>({ dialect: createNodeSqliteDialect(database, { busyMs: 3 }) });
  const add = (id: number) =>
    db.transaction().execute((trx) => trx.insertInto('things').values({ id, name: 'a' }).execute());
  other.exec('begin immediate');
  await expect(add(1)).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
  other.exec('commit');
  await add(2);
  expect(await db.selectFrom('things').select('id').execute()).toEqual([{ id: 2 }]);
  other.close();
  await db.destroy();
  await rm(dirname(file), { recursive: true });
});

test('rejects a streamed query', async () => {
  const { db } = open();
  await expect(db.selectFrom('things').selectAll().stream().next()).rejects.toThrow(/slices/);
});
