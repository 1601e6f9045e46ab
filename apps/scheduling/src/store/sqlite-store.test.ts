import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { plainQuery } from '../staff-query.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { describeStaffStore } from './staff-store.contract.ts';

describeStaffStore('SQLite in memory', async (settings) => {
  const { store } = await openSqliteStore({ file: ':memory:', ...settings });
  return store;
});

const scope = { companyKey: 'demo', isAdmin: true, account: 'a', requestId: 'r', operation: 'test' };
const run = promisify(execFile);
const racingWriter = join(import.meta.dirname, '../../test/racing-writer.ts');
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scheduling-'));
  folders.push(folder);
  return join(folder, 'staff.sqlite');
}

describe('SQLite in a file', () => {
  it('contains earlier writes when it is opened again, and seeds nothing twice', async () => {
    const file = await newFile();
    const first = await openSqliteStore({ file });
    expect(await first.store.seedDemo({ companyKey: 'demo', companies: 1, staff: 3 })).toBe(3);
    const { staffKey, json, revision, modified } = await first.store.createStaff(scope, { StaffId: 'S-9' });
    await first.store.close();
    const second = await openSqliteStore({ file });
    expect(await second.store.seedDemo({ companyKey: 'demo', companies: 1, staff: 3 })).toBe(0);
    expect(await second.store.readStaff(scope, staffKey, plainQuery)).toEqual({ json, revision, modified });
    await second.store.close();
  });

  it('has an acknowledged write in its log before it is closed', async () => {
    const file = await newFile();
    const { store } = await openSqliteStore({ file });
    await store.seedDemo({ companyKey: 'demo', companies: 1, staff: 1 });
    const { staffKey } = await store.createStaff(scope, { StaffId: 'S-9' });
    const other = new DatabaseSync(file, { readOnly: true });
    expect(other.prepare('select "StaffKey" from staff where "StaffId" = ?').get('S-9')).toEqual({
      StaffKey: staffKey,
    });
    expect(other.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    other.close();
    await store.close();
  });

  it('reads during writes', async () => {
    const file = await newFile();
    const { store } = await openSqliteStore({ file });
    await store.seedDemo({ companyKey: 'demo', companies: 1, staff: 5 });
    const work = Array.from({ length: 20 }, (_, i) => [
      store.createStaff(scope, { StaffId: `N-${i}` }),
      store.listStaff(scope, plainQuery),
    ]);
    await Promise.all(work.flat());
    expect((await store.listStaff(scope, plainQuery)).size).toBe(25);
    await store.close();
  });

  it('lets one of two writes on the same version succeed, also between processes', async () => {
    const file = await newFile();
    const { store } = await openSqliteStore({ file });
    await store.seedDemo({ companyKey: 'demo', companies: 1, staff: 1 });
    const { staffKey } = await store.createStaff(scope, { StaffId: 'S-9' });
    const race = () => run(process.execPath, ['--conditions=source', racingWriter, file, staffKey, '25']);
    await Promise.all([race(), race()]);
    const { json, revision } = await store.readStaff(scope, staffKey, plainQuery);
    expect([JSON.parse(json).RegHours, revision]).toEqual([50, 51]);
    expect(await store.listAudit('demo', { limit: 100 })).toHaveLength(51);
    await store.close();
  });

  it('reads, and serves others, while another process blocks its writes', async () => {
    const file = await newFile();
    const { store, accounts } = await openSqliteStore({ file });
    await store.seedDemo({ companyKey: 'demo', companies: 1, staff: 1 });
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const written = store.createStaff(scope, { StaffId: 'S-9' });
    expect((await store.listStaff(scope, plainQuery)).size).toBe(1);
    expect(await accounts.findToken('digest')).toBeUndefined();
    other.exec('commit');
    expect((await written).isNew).toBe(true);
    other.close();
    await store.close();
  });

  it('stamps a write after it has the lock, later than the write that it waited for', async () => {
    const file = await newFile();
    const { store } = await openSqliteStore({ file });
    await store.seedDemo({ companyKey: 'demo', companies: 1, staff: 1 });
    const { staffKey } = await store.createStaff(scope, { StaffId: 'S-8' });
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const written = store.createStaff(scope, { StaffId: 'S-9' });
    const later = new Date(Date.now() + 60_000).toISOString().slice(0, -1);
    other.prepare('update staff set "LastModifiedDateUtc" = ? where "StaffKey" = ?').run(later, staffKey);
    other.exec('commit');
    other.close();
    expect(Date.parse(JSON.parse((await written).json).LastModifiedDateUtc)).toBe(Date.parse(`${later}Z`) + 1);
    await store.close();
  });

  it('does not respond after it is closed', async () => {
    const { store } = await openSqliteStore({ file: await newFile() });
    await store.ping();
    await store.close();
    await expect(store.ping()).rejects.toThrow();
  });
});
