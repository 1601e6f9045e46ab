import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { createFile } from '../database.ts';
import { endProcess } from '../end-process.ts';
import { plainFetch } from '../plain-fetch.ts';
import { runScheduling, type SchedulingOptions, startScheduling } from '../scheduling-process.ts';
import { spawnServer } from '../server-process.ts';
import { serverPrograms } from '../server-programs.ts';
import { companyKey, logins } from '../staff/callers.ts';

/** Starts a server without demo companies, stopped when the test ends. */
async function start(settings: Readonly<Record<string, string>> = {}, more: SchedulingOptions = {}) {
  const named = Object.entries(settings).map(([name, value]) => [`ROSTERGATE_SCHEDULING_${name}`, value]);
  const env = { ROSTERGATE_SCHEDULING_SEED: 'none', ...Object.fromEntries(named) };
  const server = await startScheduling({ ...more, env });
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

test('setting host: listens only on that address', async () => {
  // Free on the other address too, where the test expects no server.
  const server = await start({ HOST: '127.0.0.2', PORT: String(await pickFreePort()) });
  const { address, port } = server.log.find(({ msg }) => msg === 'listening') ?? {};
  expect(address).toBe('127.0.0.2');
  expect((await fetch(`http://127.0.0.2:${port}/health`)).status).toBe(200);
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
});

test('setting port: a taken port is reported in one line with its variable', async () => {
  const { url } = await start();
  const { port } = new URL(url);
  const { exitCode, stderr } = await runScheduling([], {
    cwd: tmpdir(),
    env: { ROSTERGATE_SCHEDULING_PORT: port, ROSTERGATE_SCHEDULING_DATABASE_FILE: ':memory:' },
  });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(port);
  expect(stderr).toContain('ROSTERGATE_SCHEDULING_PORT');
});

test('setting database_file: is created when missing, and reused after a restart', async () => {
  const database = await createFile();
  for (const status of [201, 409]) {
    const server = await start({}, { database });
    const json = { StaffId: 'S-1' };
    expect((await server.callAs('admin', '/v2/staffmember', { method: 'POST', json })).status).toBe(status);
    await server.stop();
  }
  await database.drop();
});

test('setting database_url: an invalid or unreachable address prevents the start, without its password in the error', async () => {
  const closed = await pickFreePort();
  for (const url of ['mysql://u:canary-word@h/d', `postgres://u:canary-word@127.0.0.1:${closed}/d`]) {
    const outcome = await runScheduling([], { cwd: tmpdir(), env: { ROSTERGATE_SCHEDULING_DATABASE_URL: url } });
    expect(outcome.exitCode).not.toBe(0);
    expect(outcome.stderr).not.toBe('');
    expect(outcome.stdout + outcome.stderr).not.toContain('canary-word');
  }
});

test('setting accounts_file: its accounts log in, and a fault prevents the start and is reported with its place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-accounts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = await start();
  expect((await server.callAs('reader', `/v2/staffmember?companyKey=${companyKey}`)).status).toBe(200);
  const file = join(folder, 'accounts.json');
  await writeFile(file, '[{ "email": "a@b.example", "password": "canary-word", "company_key": "c" }]');
  const { exitCode, stderr } = await runScheduling([], {
    cwd: folder,
    env: { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: file, ROSTERGATE_SCHEDULING_PORT: '0' },
  });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('accounts.json');
  expect(stderr).not.toContain('canary-word');
});

test('setting form: vendor serves the shapes of the vendor below /v2, and another value prevents the start', async () => {
  const server = await start({ FORM: 'vendor' });
  // Its responses are not those of the contract, which the other callers check.
  const login = await plainFetch(`${server.url}/v2/login`, { method: 'POST', body: new URLSearchParams(logins.admin) });
  const { access_token, expires_in } = (await login.json()) as Record<string, string>;
  expect([login.status, expires_in]).toEqual([200, '3600']);
  const headers = { Authorization: `bearer ${access_token}`, 'Content-Type': 'application/json' };
  const unnamed = await plainFetch(`${server.url}/v2/staffmember`, { method: 'POST', headers, body: '{}' });
  expect([unnamed.status, await unnamed.json()]).toEqual([400, { Message: 'CompanyKey is required.' }]);
  const body = JSON.stringify({ StaffId: 'S-1', CompanyKey: companyKey });
  const made = await plainFetch(`${server.url}/v2/staffmember`, { method: 'POST', headers, body });
  expect([made.status, made.headers.get('ETag')]).toEqual([200, null]);
  expect(await made.json()).toMatchObject({ StaffId: 'S-1', MobileServiceProvider: 'None' });
  const wrong = await runScheduling(['serve', '--form', 'ours'], { cwd: tmpdir() });
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('--form')]);
});

test('setting token_lifetime_s: a token expires after that many seconds', async () => {
  const server = await start({ TOKEN_LIFETIME_S: '1' });
  const login = await server.call('/v2/login', { method: 'POST', json: logins.reader });
  expect(login.body.expires_in).toBe('1');
  const headers = { Authorization: `Bearer ${login.body.access_token}` };
  const codeNow = async () => (await server.call('/v2/staffmember/x', { headers })).body.code;
  await expect.poll(codeNow, { timeout: 20_000, interval: 100 }).toBe('token_expired');
});

test('setting body_bytes_max: a body of that many bytes is accepted, one more byte is 413', async () => {
  const server = await start({ BODY_BYTES_MAX: '200' });
  const send = (bytes: number) => {
    const [before, after] = ['{"email":"a@b.example","password":"', '"}'];
    const body = before + 'x'.repeat(bytes - before.length - after.length) + after;
    return server.call('/v2/login', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  };
  expect([(await send(200)).status, (await send(201)).status]).toEqual([401, 413]);
});

test('setting drain_ms: a request in progress at SIGTERM has that long to end', async () => {
  const server = await start({ DRAIN_MS: '300' });
  const open = request(`${server.url}/v2/login`, { method: 'POST', headers: { 'Content-Length': '100' } });
  open.on('error', () => undefined);
  open.write('{');
  await server.call('/health');
  const startedMs = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - startedMs).toBeGreaterThan(250);
  expect(server.log.at(-1)).toMatchObject({ msg: 'stopped', cut_connections: 1 });
});

test('setting log_level: no level logs a PIN, a password, a token or a query value', async () => {
  const server = await start({ LOG_LEVEL: 'trace' });
  const json = { StaffId: 'S-1', TimeClockKioskPIN: '73914-canary' };
  const made = await server.callAs('admin', '/v2/staffmember', { method: 'POST', json });
  const path = `/v2/staffmember/${made.body.StaffKey}`;
  await server.callAs('admin', path, { method: 'PUT', json: { TimeClockKioskPIN: '73914-canary', Fte: 'x' } });
  const $filter = "LastName eq 'name-canary'";
  await server.callAs('admin', `/v2/staffmember?${new URLSearchParams({ companyKey, $filter })}`);
  const login = await server.call('/v2/login', { method: 'POST', json: logins.reader });
  await server.logged(({ route, status }) => route === '/v2/login' && status === 200);
  await expect.poll(() => server.log.filter(({ route }) => route === '/v2/login').length).toBe(2);
  expect(server.output()).not.toMatch(/canary/);
  for (const secret of [logins.admin.password, login.body.access_token]) expect(server.output()).not.toContain(secret);
});

test('setting log_level: silent logs nothing', async () => {
  const database = await createFile();
  const file = database.env.ROSTERGATE_SCHEDULING_DATABASE_FILE ?? '';
  const port = await pickFreePort();
  const { child, output } = spawnServer({
    ...{ program: serverPrograms.scheduling.file, args: [], cwd: tmpdir() },
    env: {
      ROSTERGATE_SCHEDULING_DATABASE_FILE: file,
      ROSTERGATE_SCHEDULING_PORT: String(port),
      ROSTERGATE_SCHEDULING_LOG_LEVEL: 'silent',
    },
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isUp, { timeout: 60_000, interval: 100 }).toBe(200);
  await endProcess(child);
  expect(output()).toBe('');
  await database.drop();
});
