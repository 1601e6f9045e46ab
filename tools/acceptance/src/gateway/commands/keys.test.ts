import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGatewayFolder, runCommand, startGateway } from '../../gateway-process.ts';

const present = (key: string) => ({ headers: { 'X-API-Key': key } });

test('command keys create: prints the key once, stores its digest, and a running gateway accepts it', async () => {
  const gateway = await startGateway();
  const made = await runCommand(
    ['keys', 'create', '--name', 'ops', '--owner', 'team-a', '--scope', 'reports', '--expires', '90d'],
    { cwd: gateway.folder },
  );
  expect(made.exitCode).toBe(0);
  const key = made.stdout.trim();
  expect(key).toMatch(/^rg_live_[0-9A-Za-z]+_[0-9a-f]{8}$/);
  const path = join(gateway.folder, 'keys.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain(key);
  expect(JSON.parse(text).keys).toMatchObject([
    { name: 'ops', owner: 'team-a', scopes: ['reports'], revoked_at: null },
  ]);
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect((await gateway.call('/auth/status', present(key))).body).toMatchObject({ name: 'ops', scopes: ['reports'] });
});

test('command keys list: prints names, never keys, as a table or JSON', async () => {
  const cwd = await makeGatewayFolder({});
  const { stdout: key } = await runCommand(['keys', 'create', '--name', 'ops'], { cwd });
  const table = await runCommand(['keys', 'list'], { cwd });
  expect([table.exitCode, table.stdout]).toEqual([0, expect.stringContaining('ops')]);
  const json = await runCommand(['keys', 'list', '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject([{ name: 'ops', owner: 'ops' }]);
  expect(table.stdout + json.stdout).not.toContain(key.trim());
});

test('command keys revoke: the key is 401 at once, with the reason', async () => {
  const gateway = await startGateway();
  const cwd = gateway.folder;
  const key = (await runCommand(['keys', 'create', '--name', 'ops'], { cwd })).stdout.trim();
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect((await gateway.call('/auth/status', present(key))).status).toBe(200);
  const before = gateway.log.length;
  expect((await runCommand(['keys', 'revoke', 'ops'], { cwd })).exitCode).toBe(0);
  await gateway.logged((line) => line.msg === 'configuration applied' && gateway.log.indexOf(line) >= before);
  expect((await gateway.call('/auth/status', present(key))).body).toMatchObject({ status: 401, code: 'key_revoked' });
  expect((await runCommand(['keys', 'revoke', 'nobody'], { cwd })).exitCode).toBe(1);
});

test('command keys rotate: the new key is valid, and the old one until the overlap ends', async () => {
  const gateway = await startGateway();
  const cwd = gateway.folder;
  const first = (await runCommand(['keys', 'create', '--name', 'ops', '--scope', 'a'], { cwd })).stdout.trim();
  const second = (await runCommand(['keys', 'rotate', 'ops', '--overlap', '24h'], { cwd })).stdout.trim();
  const third = (await runCommand(['keys', 'rotate', 'ops-2', '--overlap', '0'], { cwd })).stdout.trim();
  const files = JSON.parse(await readFile(join(cwd, 'keys.json'), 'utf8'));
  expect(files.keys).toHaveLength(3);
  gateway.child.kill('SIGHUP');
  const status = async (key: string) => (await gateway.call('/auth/status', present(key))).body;
  await expect.poll(() => status(third), { timeout: 10_000 }).toMatchObject({ scopes: ['a'] });
  expect(await status(first)).toMatchObject({ authenticated: true });
  expect(await status(second)).toMatchObject({ code: 'key_expired' });
});

test('command keys plan: changes the plan of the owner, which must exist', async () => {
  const cwd = await makeGatewayFolder({ settings: { plans: { free: { limits: [] }, gold: { limits: [] } } } });
  for (const name of ['a', 'b']) {
    await runCommand(['keys', 'create', '--name', name, '--owner', 'acme', '--plan', 'free'], { cwd });
  }
  const changed = await runCommand(['keys', 'plan', 'a', 'gold', '--json'], { cwd });
  expect([changed.exitCode, JSON.parse(changed.stdout)]).toEqual([0, expect.objectContaining({ plan: 'gold' })]);
  const { keys } = JSON.parse(await readFile(join(cwd, 'keys.json'), 'utf8'));
  expect(keys.map(({ plan }: { plan: string }) => plan)).toEqual(['gold', 'gold']);
  const wrong = await runCommand(['keys', 'plan', 'a', 'glod'], { cwd });
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean gold?')]);
});

test('command keys scopes: replaces the scopes of a key', async () => {
  const cwd = await makeGatewayFolder({});
  await runCommand(['keys', 'create', '--name', 'ops', '--scope', 'read'], { cwd });
  const changed = await runCommand(['keys', 'scopes', 'ops', 'write', 'audit'], { cwd });
  expect([changed.exitCode, changed.stdout]).toEqual([0, 'Changed the scopes of ops.\n']);
  const scopesNow = async () => JSON.parse((await runCommand(['keys', 'list', '--json'], { cwd })).stdout)[0].scopes;
  expect(await scopesNow()).toEqual(['write', 'audit']);
  await runCommand(['keys', 'scopes', 'ops'], { cwd });
  expect(await scopesNow()).toEqual([]);
});

test('command keys audit: a keys file records no changes', async () => {
  const cwd = await makeGatewayFolder({});
  const { exitCode, stdout, stderr } = await runCommand(['keys', 'audit'], { cwd });
  expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('Set key_store_url')]);
});
