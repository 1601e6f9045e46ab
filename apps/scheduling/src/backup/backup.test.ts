import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settingsSchema } from '../settings.ts';
import { backUp } from './backup.ts';

let folder: string;
let database: DatabaseSync;
const path = (name: string) => join(folder, name);
const backUpTo = (name: string) =>
  backUp(settingsSchema.parse({ database_file: path('own.sqlite') }), {
    file: path(name),
    isReplacing: true,
    env: {},
  });

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'backup-'));
  database = new DatabaseSync(path('own.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE staff (Name TEXT); INSERT INTO staff VALUES (1), (2)');
});
afterEach(() => {
  database.close();
  fs.rmSync(folder, { recursive: true });
});

it('replaces an existing file with --force, and contains all writes', async () => {
  fs.writeFileSync(path('copy.sqlite'), 'something old');
  expect((await backUpTo('copy.sqlite')).counts).toMatchObject({ people: 2 });
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it.each(['own.sqlite', 'own.sqlite-wal', 'own.sqlite-shm', 'own.sqlite-journal', 'link/own.sqlite-wal'])(
  'never overwrites a part of the database: %s',
  async (name) => {
    fs.symlinkSync(folder, path('link'));
    await expect(backUpTo(name)).rejects.toThrow(/the database itself/);
    expect(database.prepare('SELECT count(*) AS count FROM staff').get()).toEqual({ count: 2 });
  },
);
