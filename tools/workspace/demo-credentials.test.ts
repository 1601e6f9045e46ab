import { createHash, scryptSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDemoCredentials, loadDemoCredentials } from './demo-credentials.mjs';

let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'demo-credentials-')), 'local');
});
afterEach(() => rm(join(directory, '..'), { recursive: true }));

const readJson = async (file: string) => JSON.parse(await readFile(join(directory, file), 'utf8'));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('createDemoCredentials', () => {
  it('creates new secrets each time', () => {
    const [one, other] = [createDemoCredentials(), createDemoCredentials()];
    const same = Object.entries(one).filter(([name, value]) => other[name as keyof typeof other] === value);
    expect(same.map(([name]) => name)).toEqual(['SCHEDULING_ADMIN_EMAIL', 'SCHEDULING_EMAIL']);
  });

  it('creates keys with a valid checksum', () => {
    const { GATEWAY_KEY, STAFF_PROXY_KEY } = createDemoCredentials();
    for (const key of [GATEWAY_KEY, STAFF_PROXY_KEY]) {
      const [, stem = '', checksum] = /^([a-z]+_live_[0-9A-Za-z]{32})_([0-9a-f]{8})$/.exec(key) ?? [];
      expect(crc32(stem).toString(16).padStart(8, '0')).toBe(checksum);
    }
  });
});

describe('loadDemoCredentials', () => {
  it('makes every file readable for its owner only', async () => {
    await loadDemoCredentials(directory);
    const files = await readdir(directory);
    expect(files.sort()).toEqual([
      'accounts.json',
      'demo.env',
      'gateway.env',
      'proxy-keys.json',
      'scheduling.env',
      'staff-proxy.env',
    ]);
    for (const file of files) expect((await stat(join(directory, file))).mode & 0o777, file).toBe(0o600);
  });

  it('returns the same credentials at the next start', async () => {
    const first = await loadDemoCredentials(directory);
    expect((await loadDemoCredentials(directory)).credentials).toEqual(first.credentials);
  });

  it('writes the files of the servers from an edited demo.env, which it does not change', async () => {
    await loadDemoCredentials(directory);
    const file = join(directory, 'demo.env');
    const edited = `# mine\nexport ${(await readFile(file, 'utf8')).replace(/^GATEWAY_KEY=.*/, 'GATEWAY_KEY=my-own-key')}`;
    await writeFile(file, edited);
    const { env } = await loadDemoCredentials(directory);
    expect(await readFile(file, 'utf8')).toBe(edited);
    expect(env.ROSTERGATE_API_KEYS).toBe(`sha256:${sha256('my-own-key')}`);
    expect(await readFile(join(directory, 'gateway.env'), 'utf8')).toContain(sha256('my-own-key'));
  });

  it('names the missing lines of a demo.env', async () => {
    await loadDemoCredentials(directory);
    await writeFile(join(directory, 'demo.env'), "GATEWAY_KEY='a'\n");
    await expect(loadDemoCredentials(directory)).rejects.toThrow(
      /demo\.env lacks STAFF_PROXY_ADMIN_KEY, .*COMPANY_KEY/,
    );
  });

  it('writes hashes of the passwords for the scheduling API, never the passwords', async () => {
    const { credentials } = await loadDemoCredentials(directory);
    const accounts = await readJson('accounts.json');
    expect(accounts).toMatchObject([
      { email: credentials.SCHEDULING_ADMIN_EMAIL, company_key: credentials.COMPANY_KEY, admin: true },
      { email: credentials.SCHEDULING_EMAIL, company_key: credentials.COMPANY_KEY, admin: false },
    ]);
    const [kind, N, r, p, salt, hash] = accounts[0].password.split(':');
    const options = { N: Number(N), r: Number(r), p: Number(p) };
    const expected = scryptSync(credentials.SCHEDULING_ADMIN_PASSWORD, Buffer.from(salt, 'base64url'), 32, options);
    expect([kind, hash]).toEqual(['scrypt', expected.toString('base64url')]);
  });

  it('writes digests of the keys for the proxy, each with an account', async () => {
    const { credentials } = await loadDemoCredentials(directory);
    const { accounts, keys } = await readJson('proxy-keys.json');
    expect(keys).toMatchObject([
      { sha256: sha256(credentials.STAFF_PROXY_ADMIN_KEY), account: 'admin' },
      { sha256: sha256(credentials.STAFF_PROXY_KEY), account: 'reader' },
    ]);
    expect(accounts.admin).toMatchObject({ email: credentials.SCHEDULING_ADMIN_EMAIL, admin: true });
    expect(accounts.reader).toMatchObject({ email: credentials.SCHEDULING_EMAIL, admin: false });
  });
});
