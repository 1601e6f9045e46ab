import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScheduling } from '../../scheduling-process.ts';
import { makeOwnFolder, type OwnFolder } from './own-folder.ts';

const isPostgres = process.env.TEST_WITH === 'postgres';
const password = 'a horse and a battery';
const email = 'admin@example.org';

/** A server with a company of three people and an admin. */
async function startCompany(own: OwnFolder) {
  await own.runJson(['seed', '--companies', '1', '--staff', '3', '--company-key', 'c1']);
  await own.run(['accounts', 'add', email, '--company', 'c1', '--admin', '--password-stdin'], password);
  const server = await startScheduling({ database: own.database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  const { body } = await server.call('/v2/login', { method: 'POST', json: { email, password } });
  const headers = { Authorization: `Bearer ${body.access_token}` };
  const create = (StaffId: string) => server.call('/v2/staffmember', { method: 'POST', json: { StaffId }, headers });
  return { server, create };
}

test('command audit list: prints writer, change and request, newest first, with filters', async () => {
  const own = await makeOwnFolder();
  const { server, create } = await startCompany(own);
  const responses = [await create('A'), await create('B'), await create('C')];
  await server.stop();
  const all = await own.runJson(['audit', 'list']);
  expect(all).toHaveLength(3);
  expect(all[0]).toEqual({
    ...{ at: expect.stringMatching(/Z$/), company_key: 'c1', account: email, operation: 'createStaffMember' },
    ...{ staff_key: responses[2]?.body.StaffKey, changed_fields: ['StaffId'] },
    request_id: responses[2]?.headers.get('X-Request-Id'),
  });
  const one = ['audit', 'list', '--staff', responses[0]?.body.StaffKey, '--company', 'c1', '--since', '1h'];
  expect(await own.runJson(one)).toEqual([all[2]]);
  expect(await own.runJson(['audit', 'list', '--limit', '2'])).toEqual(all.slice(0, 2));
  expect(await own.runJson(['audit', 'list', '--company', 'other'])).toEqual([]);
  expect(await own.runJson(['audit', 'list', '--account', 'Nobody@example.org'])).toEqual([]);
  const table = await own.run(['audit', 'list']);
  expect(table.stdout.split('\n')[0]?.split('\t').slice(1, 4)).toEqual(['c1', email, 'createStaffMember']);
  expect((await own.run(['audit', 'list', '--since', 'yesterday'])).exitCode).toBe(2);
});

test('command backup: makes a complete, verified copy while a server writes, and overwrites a file only with --force', async () => {
  const own = await makeOwnFolder();
  const { server, create } = await startCompany(own);
  const writing = (async () => {
    for (let i = 0; i < 20; i++) expect((await create(`W-${i}`)).status).toBe(201);
  })();
  const [report] = await Promise.all([own.runJson(['backup', 'copy.bak']), writing]);
  await server.stop();
  const { size, mode } = await stat(join(own.folder, 'copy.bak'));
  expect(report).toMatchObject({ file: 'copy.bak', bytes: size });
  if (isPostgres) expect([report.tables > 10, mode & 0o777]).toEqual([true, 0o600]);
  else {
    expect(report).toMatchObject({
      companies: expect.any(Number),
      accounts: expect.any(Number),
      audit_rows: expect.any(Number),
    });
    expect(report.people).toBeGreaterThanOrEqual(3);
    expect(report.people).toBeLessThanOrEqual(23);
  }
  const again = await own.run(['backup', 'copy.bak']);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('--force')]);
  expect((await own.run(['backup', 'copy.bak', '--force'])).exitCode).toBe(0);
  expect(await readdir(own.folder)).toEqual(['copy.bak']);
});

test('command backup: the copy can be served unchanged', async () => {
  const own = await makeOwnFolder({ isFile: true });
  await own.runJson(['seed', '--companies', '1', '--staff', '3', '--company-key', 'c1']);
  await own.runJson(['backup', 'copy.sqlite']);
  const env = { ROSTERGATE_SCHEDULING_DATABASE_FILE: join(own.folder, 'copy.sqlite') };
  const database = { env, drop: async () => undefined };
  const server = await startScheduling({ database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  expect((await server.call('/health/ready')).status).toBe(200);
  await server.stop();
  const found = await own.run(['seed', '--companies', '1', '--company-key', 'c1', '--database-file', 'copy.sqlite']);
  expect(found.stderr).toContain('No people were added');
});

test('command backup: leaves no partial copy after a failure', async () => {
  const own = await makeOwnFolder({ isFile: true });
  await own.runJson(['migrate']);
  const file = own.database.env.ROSTERGATE_SCHEDULING_DATABASE_FILE ?? '';
  const onItself = await own.run(['backup', file, '--force']);
  expect([onItself.exitCode, onItself.stderr]).toEqual([1, expect.stringContaining('the database itself')]);
  await writeFile(file, 'This is no database any more.'.repeat(100));
  const broken = await own.run(['backup', 'copy.bak']);
  expect([broken.exitCode, broken.stderr]).toEqual([3, expect.stringContaining('not a SQLite database')]);
  expect(await readdir(own.folder)).toEqual([]);
});
