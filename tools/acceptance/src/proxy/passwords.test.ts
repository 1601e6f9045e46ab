import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runProxyCommand } from '../proxy-process.ts';
import { arrival } from './dead-end.ts';
import { entryOf, keyOf, startDeadEndProxy } from './dead-end-proxy.ts';

const accounts = {
  byEnv: { email: 'env@up.example', password_env: 'STAFF_PASSWORD', company_key: 'C-1' },
  byFile: { email: 'file@up.example', password_file: 'secret.txt', company_key: 'C-1' },
};
const passwords = { 'env@up.example': 'canary-by-env', 'file@up.example': 'canary-by-file' };
const keys = [entryOf('env', { account: 'byEnv' }), entryOf('file', { account: 'byFile' })];
const env = { STAFF_PASSWORD: passwords['env@up.example'] };

test('passwords come from the environment or a file, and stand nowhere else', async () => {
  const proxy = await startDeadEndProxy({
    accounts,
    passwords,
    keys,
    env,
    files: { 'secret.txt': 'canary-by-file\n' },
    settings: { log_level: 'trace', log_sample_every: 1 },
  });
  for (const name of ['env', 'file']) {
    expect((await proxy.callWith(keyOf(name), '/v2/staffmember')).status).toBe(arrival.status);
  }
  expect(proxy.upstream.logins).toEqual(['env@up.example', 'file@up.example']);
  const metrics = await proxy.call('/metrics', { headers: { Accept: 'text/plain' } });
  const title = await readFile(`/proc/${proxy.child.pid}/cmdline`, 'utf8').catch(() => '');
  expect(metrics.text + title + proxy.output()).not.toContain('canary');
});

test('a password that changes in its file is the one of the next login', async () => {
  const changing: Record<string, string> = { ...passwords };
  const proxy = await startDeadEndProxy({
    accounts,
    passwords: changing,
    keys,
    env,
    files: { 'secret.txt': 'canary-by-file' },
  });
  const call = () => proxy.callWith(keyOf('file'), '/v2/staffmember');
  expect((await call()).status).toBe(arrival.status);
  changing['file@up.example'] = 'canary-of-tomorrow';
  await proxy.edit({ 'secret.txt': 'canary-of-tomorrow' });
  expect((await call()).status).toBe(arrival.status);
  expect(proxy.upstream.logins).toEqual(['file@up.example', 'file@up.example']);
});

test('a password that is missing stops the start, and validate says where', async () => {
  const proxy = await startDeadEndProxy({ accounts, passwords, keys, env, files: { 'secret.txt': 'canary-by-file' } });
  const { exitCode, stderr } = await runProxyCommand(['validate'], { cwd: proxy.folder });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /proxy-keys\.json:5:\d+ {2}accounts\.byEnv\.password_env: The environment variable is not set/,
  );
  expect((await runProxyCommand(['validate'], { cwd: proxy.folder, env })).exitCode).toBe(0);
});
