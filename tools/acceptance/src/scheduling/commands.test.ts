import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallOptions } from '../call.ts';
import { createDatabase, type OwnDatabase } from '../database.ts';
import { runScheduling, type SchedulingProcess, startScheduling } from '../scheduling-process.ts';

/** A folder, a database and a server on it; commands run beside it. */
async function start(env: Readonly<Record<string, string>> = {}) {
  const database = await createDatabase();
  const server = await startScheduling({ database, env: { ROSTERGATE_SCHEDULING_SEED: 'none', ...env } });
  onTestFinished(async () => {
    await server.stop();
    await database.drop();
  });
  const run = (args: readonly string[], input = '') =>
    runScheduling(args, { cwd: server.folder, env: database.env, input });
  /** An account made by command, and calls in its name. */
  const addAccount = async (email: string, ...more: string[]) => {
    const made = await run(['accounts', 'add', email, '--company', 'own-company', '--generate', '--json', ...more]);
    expect(made.stderr + made.exitCode).toBe('0');
    const { password } = JSON.parse(made.stdout);
    const logIn = () => server.call('/v2/login', { method: 'POST', json: { email, password } });
    return { password, logIn, as: await createCaller(server, logIn) };
  };
  return { database, server, run, addAccount };
}

async function createCaller(server: SchedulingProcess, logIn: () => Promise<{ body: { access_token: string } }>) {
  const { access_token } = (await logIn()).body;
  const headers = { Authorization: `Bearer ${access_token}` };
  return (path: string, options: CallOptions = {}) => server.call(path, { ...options, headers });
}

const people = '/v2/staffmember?companyKey=own-company';

test('command serve: is what is done without a command, until SIGTERM, and ends with 0', async () => {
  const database = await createDatabase();
  for (const args of [[], ['serve']]) {
    const server = await startScheduling({ database, args, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
    expect((await server.call('/health/ready')).body.status).toBe('ready');
    expect(await server.stop()).toBe(0);
  }
  await database.drop();
});

test('command serve: names every fault of its settings at once, and takes no secret on the command line', async () => {
  const faulty = await runScheduling(['serve', '--port', 'ninety', '--drain-ms', '0'], { cwd: '/tmp' });
  expect(faulty.exitCode).not.toBe(0);
  for (const part of ['port', 'drain']) expect(faulty.stderr).toContain(part);
  const secret = await runScheduling(['serve', '--database-url', 'postgres://u:canary@h/d'], { cwd: '/tmp' });
  expect(secret.exitCode).not.toBe(0);
  expect(secret.stderr).toContain('ROSTERGATE_SCHEDULING_DATABASE_URL');
  expect(secret.stderr).not.toContain('canary');
});

test('command accounts add: a running server lets the account in at once, as what it is', async () => {
  const { run, addAccount } = await start();
  const admin = await addAccount('ops@example.org', '--admin');
  const reader = await addAccount('desk@example.org');
  const json = { StaffId: 'S-1' };
  expect((await reader.as('/v2/staffmember', { method: 'POST', json })).status).toBe(403);
  expect((await admin.as('/v2/staffmember', { method: 'POST', json })).status).toBe(201);
  expect((await reader.as(people)).body).toHaveLength(1);
  const again = await run(['accounts', 'add', 'OPS@example.org', '--company', 'own-company', '--generate']);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('ops@example.org')]);
});

test('command accounts list: everybody who may log in, and no password', async () => {
  const { run, addAccount } = await start({ ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: '' });
  const { password } = await addAccount('ops@example.org', '--admin');
  const shown = await run(['accounts', 'list']);
  expect(shown.stdout).toContain('ops@example.org');
  const listed = await run(['accounts', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toEqual([
    expect.objectContaining({ email: 'ops@example.org', company_key: 'own-company', admin: true }),
  ]);
  expect(shown.stdout + listed.stdout).not.toMatch(new RegExp(`${password}|scrypt`));
});

test('command accounts disable: logins are refused at once, tokens soon after', async () => {
  const { run, addAccount } = await start();
  const { logIn, as } = await addAccount('ops@example.org');
  expect((await run(['accounts', 'disable', 'ops@example.org'])).exitCode).toBe(0);
  const { status, body } = (await logIn()) as Awaited<ReturnType<SchedulingProcess['call']>>;
  expect([status, body.code]).toEqual([401, 'login_failed']);
  await expect.poll(async () => (await as(people)).status, { timeout: 20_000, interval: 250 }).toBe(401);
});

test('command accounts enable: a disabled account logs in again with its password', async () => {
  const { run, addAccount } = await start();
  const { logIn } = await addAccount('ops@example.org');
  await run(['accounts', 'disable', 'ops@example.org']);
  expect((await run(['accounts', 'enable', 'ops@example.org'])).exitCode).toBe(0);
  expect((await logIn()).body.access_token).toEqual(expect.any(String));
});

test('command accounts password: the new one opens, the old one no longer', async () => {
  const { server, run, addAccount } = await start();
  const { password } = await addAccount('ops@example.org');
  const fresh = 'a new password of some length';
  const set = await run(['accounts', 'password', 'ops@example.org', '--password-stdin'], `${fresh}\n`);
  expect(set.stderr + set.exitCode).toMatch(/0$/);
  const logIn = (tried: string) =>
    server.call('/v2/login', { method: 'POST', json: { email: 'ops@example.org', password: tried } });
  expect((await logIn(fresh)).status).toBe(200);
  expect((await logIn(password)).status).toBe(401);
});

test('command migrate: makes the tables once, and --check only tells whether it is needed', async () => {
  const database = await createDatabase();
  const migrate = (...args: string[]) => runScheduling(['migrate', ...args], { cwd: tmpdir(), env: database.env });
  const statesOf = ({ stdout }: { stdout: string }) =>
    new Set(JSON.parse(stdout).map(({ state }: { state: string }) => state));
  const lacking = await migrate('--check', '--json');
  expect([lacking.exitCode, statesOf(lacking)]).toEqual([1, new Set(['to be run'])]);
  const both = await Promise.all([migrate('--json'), migrate('--json')]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const done = await migrate('--check', '--json');
  expect([done.exitCode, statesOf(done)]).toEqual([0, new Set(['ran before'])]);
  await database.drop();
});

test('command seed: made-up companies, and once more nothing', async () => {
  const { run, addAccount } = await start();
  const seed = ['seed', '--companies', '2', '--staff', '30', '--company-key', 'own-company', '--json'];
  const first = JSON.parse((await run(seed)).stdout);
  expect(first).toEqual({ added: 60, company_keys: ['own-company', expect.any(String)] });
  expect(JSON.parse((await run(seed)).stdout)).toEqual({ ...first, added: 0 });
  const { as } = await addAccount('ops@example.org');
  expect((await as(people)).body).toHaveLength(30);
});

const csv = `StaffId,FirstName,LastName,Fte,StartDate,Tags
S-1,Máire,O'Neil,0.8,2024-02-29,Team: Blue; Language: 中文
S-2,"Łukasz ""Luke""","Smith, Jr.",1,,
`;

test('command import: people from CSV, tags too, and again nothing but what has changed', async () => {
  const { server, run, addAccount } = await start();
  const { as } = await addAccount('ops@example.org', '--admin');
  await writeFile(join(server.folder, 'roster.csv'), csv);
  const imported = await run(['import', 'roster.csv', '--company', 'own-company', '--create-tags']);
  expect(imported.stderr + imported.exitCode).toMatch(/0$/);
  const { body } = await as(`${people}&$orderby=StaffId&$expand=Tags`);
  expect(body).toMatchObject([
    { StaffId: 'S-1', FirstName: 'Máire', LastName: "O'Neil", Fte: 0.8, StartDate: '2024-02-29T00:00:00' },
    { StaffId: 'S-2', FirstName: 'Łukasz "Luke"', LastName: 'Smith, Jr.', Fte: 1, StartDate: null, Tags: [] },
  ]);
  expect(body[0].Tags.map(({ CategoryName }: { CategoryName: string }) => CategoryName).sort()).toEqual([
    'Language',
    'Team',
  ]);
  expect((await run(['import', '-', '--company', 'own-company'], csv)).exitCode).toBe(0);
  expect((await as(`${people}&$orderby=StaffId&$expand=Tags`)).body).toEqual(body);
});

test('command import: names every bad row, and writes nothing while one is bad', async () => {
  const { run, addAccount } = await start();
  const { as } = await addAccount('ops@example.org', '--admin');
  const bad = `${csv}S-3,A,B,full,,\nS-4,A,B,1,2026-02-30,\n,A,B,1,,\n`;
  const { exitCode, stderr } = await run(['import', '-', '--company', 'own-company', '--create-tags'], bad);
  expect(exitCode).toBe(1);
  for (const part of [/4.*Fte/s, /5.*StartDate/s, /6.*StaffId/s]) expect(stderr).toMatch(part);
  expect((await as(people)).body).toEqual([]);
});

test('command audit list: each write with its account, request, operation and the names of what changed', async () => {
  const { run, addAccount } = await start();
  const { as } = await addAccount('ops@example.org', '--admin');
  const made = await as('/v2/staffmember', { method: 'POST', json: { StaffId: 'S-1', TimeClockKioskPIN: '73914' } });
  const path = `/v2/staffmember/${made.body.StaffKey}`;
  const changed = await as(path, { method: 'PUT', json: { City: 'secret-city', Fte: 1 } });
  expect((await as(path, { method: 'PUT', json: { Fte: 'none' } })).status).toBe(400);
  const { stdout } = await run(['audit', 'list', '--company', 'own-company', '--json']);
  const rows: Record<string, unknown>[] = JSON.parse(stdout);
  expect(rows.map(({ operation }) => operation)).toEqual(['updateStaffMember', 'createStaffMember']);
  expect(rows[0]).toMatchObject({
    account: 'ops@example.org',
    request_id: changed.headers.get('X-Request-Id'),
    staff_key: made.body.StaffKey,
    changed_fields: ['City', 'Fte'],
  });
  expect(stdout).not.toMatch(/secret-city|73914/);
  const table = await run(['audit', 'list', '--company', 'own-company']);
  expect(
    table.stdout
      .trim()
      .split('\n')
      .filter((line) => line.includes('updateStaffMember')),
  ).toHaveLength(1);
});

test('command backup: a copy of one moment, taken while others write, that is refused where a file is', async () => {
  const { database, server, run, addAccount } = await start();
  const { as } = await addAccount('ops@example.org', '--admin');
  let isWriting = true;
  const write = async () => {
    for (let i = 0; isWriting; i++) {
      expect((await as('/v2/staffmember', { method: 'POST', json: { StaffId: `S-${i}` } })).status).toBe(201);
    }
  };
  const writing = write();
  const backup = await run(['backup', 'copy.bak', '--json']);
  isWriting = false;
  await writing;
  expect(backup.stderr + backup.exitCode).toMatch(/0$/);
  expect(JSON.parse(backup.stdout).bytes).toBe((await stat(join(server.folder, 'copy.bak'))).size);
  const before = await readFile(join(server.folder, 'copy.bak'));
  expect((await run(['backup', 'copy.bak'])).exitCode).not.toBe(0);
  expect((await readFile(join(server.folder, 'copy.bak'))).equals(before)).toBe(true);
  if ('ROSTERGATE_SCHEDULING_DATABASE_FILE' in database.env) await expectServed(join(server.folder, 'copy.bak'));
});

/** A copy of SQLite is a database that a server can be started on. */
async function expectServed(file: string): Promise<void> {
  const copy: OwnDatabase = { env: { ROSTERGATE_SCHEDULING_DATABASE_FILE: file }, drop: async () => undefined };
  const server = await startScheduling({ database: copy, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  expect((await server.call('/health/ready')).body.status).toBe('ready');
  await server.stop();
}
