import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProxyFolder, runProxyCommand } from '../../proxy-process.ts';
import { accounts, arrival, startRecordedProxy } from '../recorded-proxy.ts';

const keys = (cwd: string, ...args: string[]) => runProxyCommand(['keys', ...args], { cwd });

test('command keys create: prints the key once, stores its digest, and a running proxy accepts it', async () => {
  const proxy = await startRecordedProxy({ keys: [] });
  let key = '';
  await proxy.applied(async () => {
    const grant = ['--account', 'admin', '--read-only', '--owner', 'wards', '--expires', '90d'];
    const { exitCode, stdout } = await keys(proxy.folder, 'create', '--name', 'wall', ...grant);
    expect(exitCode).toBe(0);
    key = stdout.trim();
  });
  expect(key).toMatch(/^staff_live_[0-9A-Za-z]{32}_[0-9a-f]{8}$/);
  const path = join(proxy.folder, 'proxy-keys.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain(key);
  expect(JSON.parse(text)).toMatchObject({ accounts, keys: [{ name: 'wall', owner: 'wards', account: 'admin' }] });
  expect((await proxy.callWith(key, '/v2/staffmember')).status).toBe(arrival.status);
  const write = await proxy.callWith(key, '/v2/staffmember/S-1', { method: 'PUT', json: { Fte: 1 } });
  expect([write.status, write.body.code]).toEqual([403, 'operation_forbidden']);
});

test('command keys create: rejects settings that the proxy would reject', async () => {
  const folder = await makeProxyFolder({ keysFile: { accounts } });
  const before = await readFile(join(folder, 'proxy-keys.json'), 'utf8');
  const wrong: [string[], string][] = [
    [['--name', 'a'], '--account'],
    [['--name', 'a', '--account', 'raeder'], 'Did you mean reader?'],
    [['--name', 'a', '--account', 'reader', '--company', 'C-2'], 'The account belongs to another company'],
    [['--name', 'a b', '--account', 'reader'], '--name takes'],
    [['--name', 'a', '--account', 'reader', '--allow', 'listStaffMember'], 'Did you mean listStaffMembers?'],
    [
      ['--name', 'a', '--account', 'reader', '--allow', 'getStaffMember', '--deny', 'addStaffTag'],
      'either allow or deny',
    ],
    [
      ['--name', 'a', '--account', 'admin', '--read-only', '--allow', 'addStaffTag'],
      'This operation writes, but the key is read_only',
    ],
  ];
  for (const [args, message] of wrong) {
    const { exitCode, stdout, stderr } = await keys(folder, 'create', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  }
  expect(await readFile(join(folder, 'proxy-keys.json'), 'utf8')).toBe(before);
  const elsewhere = await keys(folder, 'create', '--name', 'a', '--account', 'admin', '--keys-file', 'other.json');
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([1, expect.stringContaining('There is no such file')]);
});

test('command keys list: prints the rights of each key, for people and programs, and no key', async () => {
  const cwd = await makeProxyFolder({ keysFile: { accounts }, settings: { upstream_form: 'vendor' } });
  const none = await keys(cwd, 'list');
  expect(none.stderr).toContain(
    'There are no keys yet: rostergate-staff-proxy keys create --name <name> --account <name>',
  );
  const made = [
    await keys(cwd, 'create', '--name', 'ops', '--account', 'admin'),
    await keys(cwd, 'create', '--name', 'wall', '--account', 'reader', '--read-only', '--deny', 'listBadgeIds'),
    await keys(
      cwd,
      'create',
      '--name',
      'tags',
      '--account',
      'admin',
      '--company',
      'C-2',
      '--allow',
      'addStaffTag',
      '--keep-unknown-members',
    ),
  ];
  const table = await keys(cwd, 'list');
  const rows = table.stdout.trimEnd().split('\n');
  expect(rows.map((row) => row.split('\t').filter((_, i) => [0, 3, 4, 7].includes(i)))).toEqual([
    ['ops', 'admin', 'everything', 'active'],
    ['wall', 'reader', 'read but listBadgeIds', 'active'],
    ['tags', 'admin', 'addStaffTag +unknown members', 'active'],
  ]);
  const json = await keys(cwd, 'list', '--json');
  expect(JSON.parse(json.stdout)[2]).toMatchObject({
    ...{ name: 'tags', account: 'admin', company_key: 'C-2', read_only: false, state: 'active' },
    ...{ operations: { allow: ['addStaffTag'] }, unknown_members: 'keep' },
  });
  for (const { stdout } of made) expect(table.stdout + json.stdout).not.toContain(stdout.trim());
});

test('command keys revoke: the key and its tokens are 401 at once', async () => {
  const proxy = await startRecordedProxy({ keys: [] });
  let key = '';
  await proxy.applied(async () => {
    key = (await keys(proxy.folder, 'create', '--name', 'ops', '--account', 'admin')).stdout.trim();
  });
  const login = await proxy.call('/v2/login', { method: 'POST', json: { email: 'ops', password: key } });
  await proxy.applied(() => keys(proxy.folder, 'revoke', 'ops'));
  for (const credential of [key, login.body.access_token]) {
    const headers = { Authorization: `Bearer ${credential}` };
    expect((await proxy.call('/v2/staffmember', { headers })).body).toMatchObject({ status: 401, code: 'key_revoked' });
  }
  expect((await keys(proxy.folder, 'revoke', key)).stderr).not.toContain(key);
  expect((await keys(proxy.folder, 'revoke', 'nobody')).exitCode).toBe(1);
});

test('command keys rotate: the successor has the same rights, and the old key ends after the overlap', async () => {
  const proxy = await startRecordedProxy({ keys: [] });
  const made: string[] = [];
  await proxy.applied(async () => {
    const create = ['create', '--name', 'ops', '--account', 'admin', '--allow', 'getStaffMember'];
    made.push((await keys(proxy.folder, ...create)).stdout.trim());
    made.push((await keys(proxy.folder, 'rotate', 'ops', '--overlap', '24h')).stdout.trim());
    made.push((await keys(proxy.folder, 'rotate', 'ops-2', '--overlap', '0')).stdout.trim());
  });
  const outcomes = async (path: string) =>
    Promise.all(made.map(async (key) => (await proxy.callWith(key, path)).body.code));
  await expect.poll(() => outcomes('/v2/staffmember/S-1')).toEqual(['conflict', 'key_expired', 'conflict']);
  expect(await outcomes('/v2/staffmember')).toEqual(['operation_forbidden', 'key_expired', 'operation_forbidden']);
});

test('command keys audit: says that a keys file records no changes, and what does', async () => {
  const cwd = await makeProxyFolder({ keysFile: { accounts } });
  const { exitCode, stderr } = await keys(cwd, 'audit');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Set key_store_url')]);
});
