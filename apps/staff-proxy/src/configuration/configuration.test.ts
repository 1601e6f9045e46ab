import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSourceReader } from '@rostergate/config/reload';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ReadSourcesOptions, readSources } from './configuration.ts';

const keysFile = {
  accounts: { a: { email: 'a@up.test', password: 'canary', company_key: 'C-1' } },
  keys: [{ name: 'desk', owner: 'desk', sha256: '0'.repeat(64), account: 'a' }],
};

/** Creates a folder with these files, readable only by their owner. */
async function folderOf(files: Readonly<Record<string, string | object>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'staff-proxy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    await writeFile(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

function read(folder: string, options: Partial<ReadSourcesOptions> & { readonly isNamed?: boolean } = {}) {
  const { isNamed = false, ...more } = options;
  const settingsFile = { path: join(folder, 'staff-proxy.json'), isNamed };
  return readSources({ settingsFile, env: {}, args: {}, reader: createSourceReader(), ...more });
}

async function faultsOf(...given: Parameters<typeof read>): Promise<string[]> {
  const result = await read(...given);
  if (!('faults' in result)) throw new Error('There is no fault.');
  return result.faults.map(({ where, field, detail }) => `${where.replace(`${given[0]}/`, '')} ${field}: ${detail}`);
}

async function settingsOf(...given: Parameters<typeof read>) {
  const result = await read(...given);
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  return result.configuration.settings;
}

describe('the configuration of the proxy', () => {
  test('comes from the command line, else the environment, else the file, else the default', async () => {
    const folder = await folderOf({
      'staff-proxy.json': { port: 1, drain_ms: 1, log_level: 'warn' },
      'proxy-keys.json': keysFile,
    });
    const env = { ROSTERGATE_PROXY_PORT: '2', ROSTERGATE_PROXY_DRAIN_MS: '2' };
    const settings = await settingsOf(folder, { env, args: { port: '3' } });
    expect(settings).toMatchObject({ port: 3, drain_ms: 2, log_level: 'warn', upstream_retries: 2 });
    expect(Object.isFrozen(settings)).toBe(true);
  });

  test('is checked for the plans and issuers that the keys name, beside other faults of the settings', async () => {
    const folder = await folderOf({
      'staff-proxy.json': {
        port: 'many',
        jwt_issuers: [{ name: 'corp', issuer: 'https://id.example', audiences: ['a'], algorithms: ['ES256'] }],
        plans: { gold: { quota: { requests: 1, per: 'day' } } },
      },
      'proxy-keys.json': {
        ...keysFile,
        keys: [{ ...keysFile.keys[0], plan: 'glod' }],
        tokens: [{ issuer: 'crop', value: 'x', account: 'a' }],
      },
    });
    expect(await faultsOf(folder)).toEqual([
      expect.stringContaining(' port: '),
      expect.stringContaining(' tokens[0].issuer: '),
      expect.stringContaining(' keys[0].plan: '),
    ]);
  });

  test('needs no settings file, unless one is named', async () => {
    const folder = await folderOf({ 'proxy-keys.json': keysFile });
    expect((await settingsOf(folder)).port).toBe(8010);
    expect(await faultsOf(folder, { isNamed: true })).toEqual([
      'staff-proxy.json : There is no such file. Write it, or correct the path.',
    ]);
  });

  test('needs a keys file beside the settings that only its owner can read', async () => {
    const folder = await folderOf({ 'staff-proxy.json': { keys_file: 'mine.json' } });
    expect(await faultsOf(folder)).toEqual(['mine.json : There is no such file. Write it, or correct keys_file.']);
    await writeFile(join(folder, 'mine.json'), JSON.stringify(keysFile));
    await chmod(join(folder, 'mine.json'), 0o640);
    expect(await faultsOf(folder)).toEqual([expect.stringContaining('chmod 600')]);
    await chmod(join(folder, 'mine.json'), 0o600);
    const result = await read(folder);
    expect('configuration' in result && [...result.configuration.keysFile.accounts.keys()]).toEqual(['a']);
  });

  test('reports all faults of all files at once, with places and without secrets', async () => {
    const folder = await folderOf({
      'staff-proxy.json': {
        prot: 1,
        cors_origins: ['https://a.example/x'],
        trusted_proxies: ['10.0.0.0/33'],
        redis_url: 'redis://user:canary@host:port/0',
        tls_key_file: 'key.pem',
      },
      'proxy-keys.json': { ...keysFile, keys: [{ ...keysFile.keys[0], account: 'b' }] },
    });
    const faults = await faultsOf(folder);
    expect(faults.map((fault) => fault.slice(0, fault.indexOf(':', fault.indexOf(' '))))).toEqual([
      'staff-proxy.json:2:3 prot',
      'staff-proxy.json:7:5 trusted_proxies[0]',
      'staff-proxy.json:9:16 redis_url',
      'staff-proxy.json:4:5 cors_origins[0]',
      'proxy-keys.json:14:18 keys[0].account',
    ]);
    expect(faults[0]).toContain('Did you mean');
    expect(faults.join()).not.toContain('canary');
  });

  test('requires a certificate and its key together', async () => {
    const folder = await folderOf({
      'staff-proxy.json': { tls_certificate_file: 'cert.pem' },
      'proxy-keys.json': keysFile,
    });
    expect(await faultsOf(folder)).toEqual([expect.stringContaining('tls_key_file: It is required with')]);
  });

  test('lists each file that it depends on, including password files', async () => {
    const account = { email: 'a@up.test', password_file: 'a.password', company_key: 'C-1' };
    const folder = await folderOf({
      'proxy-keys.json': { ...keysFile, accounts: { a: account } },
      'a.password': 'p\n',
    });
    const reader = createSourceReader();
    const result = await read(folder, { reader });
    expect('configuration' in result && result.configuration.keysFile.accounts.get('a')?.password).toBe('p');
    expect(reader.sources().map(({ path }) => path.slice(folder.length + 1))).toEqual([
      'staff-proxy.json',
      'proxy-keys.json',
      'a.password',
    ]);
  });
});
