import { expect, test } from 'vitest';
import { startScheduling } from '../../scheduling-process.ts';
import { makeOwnFolder } from './own-folder.ts';

const email = 'ops@example.org';
const password = 'a horse and a battery';

test('command accounts add: reads the password from stdin or generates it, prints it at most once, and it logs in', async () => {
  const own = await makeOwnFolder();
  const typed = await own.run(['accounts', 'add', email, '--company', 'c1', '--password-stdin'], `${password}\n`);
  expect([typed.exitCode, typed.stdout + typed.stderr]).toEqual([0, expect.not.stringContaining(password)]);
  const made = await own.run(['accounts', 'add', 'Admin@example.org', '--company', 'c1', '--admin', '--generate']);
  const generated = made.stdout.trim();
  expect([made.exitCode, generated]).toEqual([0, expect.stringMatching(/^[\w-]{24}$/)]);

  const server = await startScheduling({ database: own.database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  const logIn = (json: object) => server.call('/v2/login', { method: 'POST', json });
  expect((await logIn({ email, password })).status).toBe(200);
  expect((await logIn({ email: 'admin@example.org', password: generated })).status).toBe(200);
  await server.stop();

  const listed = await own.runJson(['accounts', 'list', '--company', 'c1']);
  expect(listed).toEqual([
    { email: 'admin@example.org', company_key: 'c1', admin: true, disabled: false, last_login: expect.any(String) },
    { email, company_key: 'c1', admin: false, disabled: false, last_login: expect.any(String) },
  ]);
  const table = await own.run(['accounts', 'list']);
  expect(table.stdout).toContain(`${email}\tc1\tread\tactive\t`);
});

test('command accounts add: rejects an address in use, a weak password, and a password on the command line', async () => {
  const own = await makeOwnFolder();
  const add = (...more: string[]) => ['accounts', 'add', email, '--company', 'c1', ...more];
  expect((await own.run(add('--generate'))).exitCode).toBe(0);
  const twice = await own.run(add('--generate'));
  expect([twice.exitCode, twice.stdout, twice.stderr]).toEqual([1, '', expect.stringContaining('already')]);
  const weak = await own.run(['accounts', 'add', 'b@example.org', '--company', 'c1', '--password-stdin'], 'short');
  expect([weak.exitCode, weak.stderr]).toEqual([1, expect.stringContaining('at least 12 characters')]);
  const given = await own.run(['accounts', 'add', 'b@example.org', '--company', 'c1', '--password=canary-of-the-test']);
  expect([given.exitCode, given.stderr]).toEqual([2, expect.not.stringContaining('canary')]);
  const none = await own.run(['accounts', 'add', 'b@example.org', '--company', 'c1']);
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('--password-stdin')]);
  expect(await own.runJson(['accounts', 'list'])).toHaveLength(1);
});

test('command accounts disable: ends logins and tokens in a running server within seconds; enable allows logins again', async () => {
  const own = await makeOwnFolder();
  await own.run(['accounts', 'add', email, '--company', 'c1', '--password-stdin'], password);
  const server = await startScheduling({ database: own.database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  const logIn = () => server.call('/v2/login', { method: 'POST', json: { email, password } });
  const headers = { Authorization: `Bearer ${(await logIn()).body.access_token}` };
  const list = async () => (await server.call('/v2/staffmember?companyKey=c1', { headers })).status;
  expect(await list()).toBe(200);

  expect((await own.run(['accounts', 'disable', email])).exitCode).toBe(0);
  expect((await logIn()).status).toBe(401);
  await expect.poll(list, { timeout: 10_000, interval: 250 }).toBe(401);
  expect(await own.runJson(['accounts', 'list', '--company', 'c1'])).toMatchObject([{ email, disabled: true }]);

  expect((await own.run(['accounts', 'enable', email])).exitCode).toBe(0);
  expect((await logIn()).status).toBe(200);
  expect(await list()).toBe(401);
  await server.stop();
});

test('command accounts password: the new password logs in, and the old one and its tokens are rejected', async () => {
  const own = await makeOwnFolder();
  await own.run(['accounts', 'add', email, '--company', 'c1', '--password-stdin'], password);
  const changed = await own.run(['accounts', 'password', email, '--generate']);
  const server = await startScheduling({ database: own.database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  const logIn = async (given: string) =>
    (await server.call('/v2/login', { method: 'POST', json: { email, password: given } })).status;
  expect([await logIn(changed.stdout.trim()), await logIn(password)]).toEqual([200, 401]);
  await server.stop();
  const unknown = await own.run(['accounts', 'password', 'opz@example.org', '--generate']);
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining(`Did you mean ${email}?`)]);
});
