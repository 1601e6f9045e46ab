import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startScheduling } from '../../scheduling-process.ts';
import { companyKey } from '../../staff/callers.ts';
import { makeOwnFolder } from './own-folder.ts';

const password = 'a horse and a battery';

test('command seed: creates companies of the given size, keys, tags and skills, and never changes existing ones', async () => {
  const own = await makeOwnFolder();
  const sizes = ['--companies', '2', '--staff', '30', '--company-key', 'c1', '--tags', '5', '--skills', '4'];
  const first = await own.runJson(['seed', ...sizes]);
  expect(first).toEqual({ added: 60, company_keys: ['c1', expect.stringMatching(/^[0-9a-f-]{36}$/)] });
  expect(await own.runJson(['seed', ...sizes])).toEqual({ ...first, added: 0 });

  const email = 'admin@example.org';
  await own.run(['accounts', 'add', email, '--company', 'c1', '--admin', '--password-stdin'], password);
  const server = await startScheduling({ database: own.database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  const { body } = await server.call('/v2/login', { method: 'POST', json: { email, password } });
  const headers = { Authorization: `Bearer ${body.access_token}` };
  const people = (await server.call('/v2/staffmember?companyKey=c1&$expand=Tags,Skillset', { headers })).body;
  await server.stop();
  expect(people).toHaveLength(30);
  for (const { Tags, Skillset } of people) {
    expect([Tags.flatMap((category: { Tags: [] }) => category.Tags).length, Skillset.length]).toEqual([5, 4]);
  }
});

test('setting seed: demo creates people for the company of the first account, none creates no people', async () => {
  const { database } = await makeOwnFolder();
  const count = async (seed: string) => {
    const server = await startScheduling({ database, env: { ROSTERGATE_SCHEDULING_SEED: seed } });
    const path = `/v2/staffmember?companyKey=${companyKey}&$count=true&$top=0`;
    const { body } = await server.callAs('reader', path);
    await server.stop();
    return body['@odata.count'];
  };
  expect([await count('none'), await count('demo'), await count('demo')]).toEqual([0, 1_000, 1_000]);
});

test('command migrate: lists pending migrations, runs them, and then has none left', async () => {
  const own = await makeOwnFolder();
  const before = await own.run(['migrate', '--check', '--json']);
  const states = (text: string) => new Set(JSON.parse(text).map(({ state }: { state: string }) => state));
  expect([before.exitCode, states(before.stdout)]).toEqual([1, new Set(['pending'])]);
  const nowhere = await own.run(['accounts', 'list', '--database-file', 'none.sqlite']);
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([1, expect.stringContaining('no such database')]);
  const ran = await own.run(['migrate', '--json']);
  expect([ran.exitCode, states(ran.stdout)]).toEqual([0, new Set(['applied now'])]);
  const after = await own.run(['migrate', '--check', '--json']);
  expect([after.exitCode, states(after.stdout)]).toEqual([0, new Set(['applied before'])]);
});

test('command migrate: a failed migration is reported in one line with its reason', async () => {
  const { run, database } = await makeOwnFolder({ isFile: true });
  expect((await run(['migrate'])).exitCode).toBe(0);
  const file = new DatabaseSync(database.env.ROSTERGATE_SCHEDULING_DATABASE_FILE ?? '');
  file.exec("DELETE FROM kysely_migration WHERE name = '0001-staff'");
  file.close();
  const { exitCode, stderr } = await run(['migrate']);
  expect([exitCode, stderr.trim().split('\n')]).toEqual([3, [expect.stringContaining('corrupted migrations')]]);
  expect(stderr).toContain('The database could not be migrated');
});

test('command migrate: of several concurrent runs, each reports only its own migrations', async () => {
  const own = await makeOwnFolder();
  const runs = await Promise.all([1, 2, 3].map(() => own.runJson(['migrate'])));
  const names = runs[0].map(({ name }: { name: string }) => name);
  const ran = runs.flatMap((rows) => rows.filter(({ state }: { state: string }) => state === 'applied now'));
  expect(ran.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
});
