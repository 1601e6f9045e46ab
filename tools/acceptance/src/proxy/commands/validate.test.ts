import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProxyFolder, runProxyCommand } from '../../proxy-process.ts';
import { usualKeysFile } from '../stand-in-proxy.ts';

test('command validate: exits with 0, prints a summary, and sends no requests', async () => {
  const cwd = await makeProxyFolder({ keysFile: usualKeysFile, settings: { upstream_url: 'http://127.0.0.1:1' } });
  expect(await runProxyCommand(['validate'], { cwd })).toEqual({
    exitCode: 0,
    stdout: 'Valid: staff-proxy.json, with 2 accounts, 2 keys.\n',
    stderr: '',
  });
  const { stdout } = await runProxyCommand(['validate', '--json'], { cwd });
  expect(JSON.parse(stdout)).toEqual({
    ...{ valid: true, settings_file: 'staff-proxy.json', accounts: 2, keys: 2, faults: [] },
  });
});

test('command validate: exits with 1 and reports every fault of every file with its place, without secrets', async () => {
  const [key] = usualKeysFile.keys;
  const cwd = await makeProxyFolder({
    keysFile: {
      accounts: {
        admin: usualKeysFile.accounts.admin,
        poor: { email: 'e', company_key: 'c', password_env: 'NO_SUCH' },
      },
      keys: [{ ...key, account: 'admni', operations: { deny: ['listStaffMember'] } }],
    },
    settings: { upstream_ulr: 'http://canary', drain_ms: 'soon', redis_url: 'http://canary.example' },
  });
  const { exitCode, stderr } = await runProxyCommand(['validate'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr.match(/^\S+\.json:\d+:\d+ +[^:]+/gm)).toEqual([
    'staff-proxy.json:3:3  upstream_ulr',
    'staff-proxy.json:5:16  redis_url',
    'staff-proxy.json:4:15  drain_ms',
    'proxy-keys.json:20:18  keys[0].account',
    'proxy-keys.json:23:11  keys[0].operations.deny[0]',
  ]);
  expect(stderr.match(/Did you mean \w+/g)).toEqual([
    'Did you mean upstream_url',
    'Did you mean admin',
    'Did you mean listStaffMembers',
  ]);
  expect(stderr).not.toContain('canary');
  const { stdout } = await runProxyCommand(['validate', '--json'], { cwd });
  const verdict = JSON.parse(stdout) as { valid: boolean; faults: { file: string; line: number }[] };
  expect(verdict.valid).toBe(false);
  expect(verdict.faults).toHaveLength(5);
  for (const { file, line } of verdict.faults) expect([file, line]).toEqual([expect.any(String), expect.any(Number)]);
});

test('command validate: exits with 1 for a keys file that others may read and for an account without a password', async () => {
  const { admin } = usualKeysFile.accounts;
  const account = { email: admin.email, company_key: 'C-1', password_env: 'NO_SUCH_VARIABLE' };
  const cwd = await makeProxyFolder({ keysFile: { accounts: { admin: account } } });
  const { exitCode, stderr } = await runProxyCommand(['validate'], { cwd });
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/proxy-keys\.json:\d+:\d+ +accounts\.admin\.password_env/),
  ]);
  expect((await runProxyCommand(['validate'], { cwd, env: { NO_SUCH_VARIABLE: 'p' } })).exitCode).toBe(0);
  await chmod(join(cwd, 'proxy-keys.json'), 0o644);
  const open = await runProxyCommand(['validate'], { cwd, env: { NO_SUCH_VARIABLE: 'p' } });
  expect([open.exitCode, open.stderr]).toEqual([1, expect.stringContaining('chmod 600')]);
});

test('command validate: reads the file of --settings or the environment; other paths are relative to it', async () => {
  const settings = { keys_file: 'nearby.json' };
  const folder = await makeProxyFolder({
    keysFile: usualKeysFile,
    files: { 'other.json': JSON.stringify(settings), 'nearby.json': JSON.stringify(usualKeysFile) },
  });
  const path = join(folder, 'other.json');
  const good = { exitCode: 0, stdout: `Valid: ${path}, with 2 accounts, 2 keys.\n`, stderr: '' };
  expect(await runProxyCommand(['validate', '--settings', path], { cwd: '/' })).toEqual(good);
  const env = { ROSTERGATE_PROXY_SETTINGS_FILE: path };
  expect(await runProxyCommand(['validate'], { cwd: '/', env })).toEqual(good);
});
