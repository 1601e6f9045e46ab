import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import type { CallOptions } from '../call.ts';
import { createDatabase } from '../database.ts';
import { runScheduling, startScheduling } from '../scheduling-process.ts';

/** Creates a database of the run's kind, with commands on it. */
async function makeDatabase() {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const run = (...args: string[]) => runScheduling(args, { cwd: tmpdir(), env: database.env });
  /** Adds an account of a new company; resolves with its password. */
  const addAccount = async (email: string, ...more: string[]): Promise<string> => {
    const made = await run('accounts', 'add', email, '--company', 'own-company', '--generate', '--json', ...more);
    expect(made.exitCode, made.stderr).toBe(0);
    return JSON.parse(made.stdout).password;
  };
  const start = async (...args: string[]) => {
    const server = await startScheduling({ database, args, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
    onTestFinished(async () => {
      await server.stop();
    });
    return server;
  };
  return { run, addAccount, start };
}

test('command serve: is the default command, runs until SIGTERM and exits with 0', async () => {
  const { start } = await makeDatabase();
  for (const args of [[], ['serve']]) {
    const server = await start(...args);
    expect((await server.call('/health/ready')).body.status).toBe('ready');
    expect(await server.stop()).toBe(0);
  }
});

test('command serve: reports every fault of its settings at once, and accepts no secret on the command line', async () => {
  const faulty = await runScheduling(['serve', '--port', 'ninety', '--drain-ms', '0'], { cwd: '/tmp' });
  expect(faulty.exitCode).not.toBe(0);
  for (const part of ['port', 'drain']) expect(faulty.stderr).toContain(part);
  const secret = await runScheduling(['serve', '--database-url', 'postgres://u:canary@h/d'], { cwd: '/tmp' });
  expect(secret.exitCode).not.toBe(0);
  expect(secret.stderr).toContain('ROSTERGATE_SCHEDULING_DATABASE_URL');
  expect(secret.stderr).not.toContain('canary');
});

test('command accounts list: prints every account and no password', async () => {
  const { run, addAccount } = await makeDatabase();
  const password = await addAccount('ops@example.org', '--admin');
  const [shown, listed] = [await run('accounts', 'list'), await run('accounts', 'list', '--json')];
  expect(shown.stdout).toContain('ops@example.org');
  expect(JSON.parse(listed.stdout)).toEqual([
    expect.objectContaining({ email: 'ops@example.org', company_key: 'own-company', admin: true }),
  ]);
  for (const secret of [password, 'scrypt']) expect(shown.stdout + listed.stdout).not.toContain(secret);
});

test('command accounts enable: a disabled account logs in again with its password', async () => {
  const { run, addAccount, start } = await makeDatabase();
  const password = await addAccount('ops@example.org');
  const server = await start();
  const logIn = async () => {
    const json = { email: 'ops@example.org', password };
    return (await server.call('/v2/login', { method: 'POST', json })).status;
  };
  await run('accounts', 'disable', 'ops@example.org');
  expect(await logIn()).toBe(401);
  expect((await run('accounts', 'enable', 'ops@example.org')).exitCode).toBe(0);
  expect(await logIn()).toBe(200);
});

test('command migrate: concurrent runs create the tables once, and --check only reports whether it is needed', async () => {
  const { run } = await makeDatabase();
  const statesOf = ({ stdout }: { stdout: string }) =>
    new Set(JSON.parse(stdout).map(({ state }: { state: string }) => state));
  const lacking = await run('migrate', '--check', '--json');
  expect([lacking.exitCode, statesOf(lacking)]).toEqual([1, new Set(['pending'])]);
  const both = await Promise.all([run('migrate'), run('migrate')]);
  expect(both.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const done = await run('migrate', '--check', '--json');
  expect([done.exitCode, statesOf(done)]).toEqual([0, new Set(['applied before'])]);
});

test('command audit list: prints the request, the account and the changed members of a write, without values', async () => {
  const { run, addAccount, start } = await makeDatabase();
  const password = await addAccount('ops@example.org', '--admin');
  const server = await start();
  const json = { email: 'ops@example.org', password };
  const { access_token } = (await server.call('/v2/login', { method: 'POST', json })).body;
  const as = (path: string, options: CallOptions) =>
    server.call(path, { ...options, headers: { Authorization: `Bearer ${access_token}` } });
  const made = await as('/v2/staffmember', { method: 'POST', json: { StaffId: 'S-1', TimeClockKioskPIN: '73914' } });
  const path = `/v2/staffmember/${made.body.StaffKey}`;
  const changed = await as(path, { method: 'PUT', json: { City: 'secret-city', Fte: 1 } });
  expect((await as(path, { method: 'PUT', json: { Fte: 'none' } })).status).toBe(400);
  const { stdout } = await run('audit', 'list', '--company', 'own-company', '--json');
  const rows: Record<string, unknown>[] = JSON.parse(stdout);
  expect(rows.map(({ operation }) => operation)).toEqual(['updateStaffMember', 'createStaffMember']);
  expect(rows[0]).toMatchObject({
    account: 'ops@example.org',
    request_id: changed.headers.get('X-Request-Id'),
    staff_key: made.body.StaffKey,
    changed_fields: ['City', 'Fte'],
  });
  expect(stdout).not.toMatch(/secret-city|73914/);
});
