import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';

const digest = (key: string) => createHash('sha256').update(key).digest('hex');
const present = (key: string) => ({ headers: { 'X-API-Key': key } });

test('setting api_keys: accepts a comma-separated list of keys and digests', async () => {
  const gateway = await startGateway({ settings: { api_keys: ` one-key , sha256:${digest('two-key')}` } });
  for (const key of ['one-key', 'two-key']) expect((await gateway.call('/auth/status', present(key))).status).toBe(200);
  expect((await gateway.call('/auth/status', present(`sha256:${digest('two-key')}`))).body.code).toBe('key_invalid');
});

test('setting api_keys: accepts the path of a file with one key per line, and reloads it', async () => {
  const gateway = await startGateway({
    settings: { api_keys: './keys.txt' },
    files: { 'keys.txt': `# the team's\n\none-key\nsha256:${digest('two-key')}\n` },
  });
  const status = async (key: string) => (await gateway.call('/auth/status', present(key))).status;
  expect([await status('one-key'), await status('two-key'), await status('# the team')]).toEqual([200, 200, 401]);
  await gateway.write('keys.txt', 'three-key\n');
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect([await status('one-key'), await status('three-key')]).toEqual([401, 200]);
});

test('setting api_keys: a path is relative to settings.json, or else to the working directory, and reloaded there', async () => {
  const gateway = await startGateway({
    args: ['--config', 'conf/settings.json'],
    files: {
      'conf/settings.json': JSON.stringify({ api_keys: 'keys/ours.txt', rate_limit_enabled: false }),
      'conf/endpoints.json': JSON.stringify({ endpoints: [] }),
      'keys/ours.txt': 'one-key\n',
    },
  });
  const status = async (key: string) => (await gateway.call('/auth/status', present(key))).status;
  expect([await status('one-key'), await status('keys/ours.txt')]).toEqual([200, 401]);
  await gateway.write('keys/ours.txt', 'two-key\n');
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect([await status('one-key'), await status('two-key')]).toEqual([401, 200]);
});

test('setting keys_file: its keys are valid beside api_keys, with names and scopes', async () => {
  const entry = { name: 'ops', owner: 'team-a', sha256: digest('ops-key'), scopes: ['reports'] };
  const gateway = await startGateway({
    settings: { api_keys: 'one-key', keys_file: 'secret/keys.json' },
    files: { 'secret/keys.json': JSON.stringify({ keys: [entry] }) },
  });
  const status = async (key: string) => (await gateway.call('/auth/status', present(key))).body;
  expect(await status('ops-key')).toMatchObject({ name: 'ops', scopes: ['reports'] });
  expect(await status('one-key')).toMatchObject({ authenticated: true, scopes: [] });

  const metrics = (await gateway.call('/metrics')).text;
  expect(metrics).toMatch(/^http_requests_by_key_total\{key="ops",status="200"\} 1$/m);
  expect(metrics).not.toContain('ops-key');

  const past = new Date(Date.now() - 60_000).toISOString();
  await gateway.write('secret/keys.json', {
    keys: [
      { ...entry, revoked_at: past },
      { ...entry, name: 'old', sha256: digest('old-key'), expires_at: past },
    ],
  });
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect(await status('ops-key')).toMatchObject({ status: 401, code: 'key_revoked' });
  expect(await status('old-key')).toMatchObject({ status: 401, code: 'key_expired' });
});
