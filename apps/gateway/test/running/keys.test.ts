import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keyDigest } from '@rostergate/access/keys';
import { describe, expect, it } from 'vitest';
import { type GatewayProcess, makeFolder, put, spawnGateway, startGateway, until, withKey } from './gateway-process.ts';

const entry = (name: string, more: object = {}) => ({
  name,
  owner: 'team',
  sha256: keyDigest(`key-of-${name}`),
  ...more,
});
const secured = (path: string, more: object = {}) => ({
  path,
  service: 'static',
  requires_auth: true,
  parameters: { answer: 1 },
  ...more,
});
const files = {
  'settings.json': { rate_limit_enabled: false, api_keys: 'plain-key' },
  'endpoints.json': {
    endpoints: [
      secured('/any'),
      secured('/scoped', { scopes: ['read', 'write'] }),
      secured('/own', { api_keys: 'ring.txt' }),
    ],
  },
  'ring.txt': '# keys of one endpoint\nkey-of-ring\n',
};

async function codeOf(gateway: GatewayProcess, path: string, key: string): Promise<string> {
  const response = await gateway.fetch(path, withKey(key));
  return response.status === 200 ? '200' : `${response.status} ${((await response.json()) as { code: string }).code}`;
}

describe('keys of api_keys', () => {
  it('in a file that is created after it is configured are accepted', async () => {
    const gateway = await startGateway(await makeFolder(files));
    await put(join(gateway.folder, 'settings.json'), { ...files['settings.json'], api_keys: './late.txt' });
    await until(async () => (await gateway.configurationStatus()).status === 'degraded');
    await put(join(gateway.folder, 'late.txt'), 'key-of-late\n');
    await until(async () => (await codeOf(gateway, '/any', 'key-of-late')) === '200');
    expect(await codeOf(gateway, '/any', 'plain-key')).toBe('401 key_invalid');
  });
});

describe('keys.json', () => {
  it('grants the access of its records, and edits are live', async () => {
    const gateway = await startGateway(await makeFolder(files));
    const path = join(gateway.folder, 'keys.json');
    expect(await codeOf(gateway, '/any', 'key-of-ops')).toBe('401 key_invalid');

    const ends = new Date(Date.now() + 3_600_000).toISOString();
    await put(path, {
      keys: [
        entry('ops', { scopes: ['read', 'write'], expires_at: ends }),
        entry('reader', { scopes: ['read'] }),
        entry('ended', { expires_at: '2020-01-01T00:00:00Z' }),
        entry('revoked', { revoked_at: '2020-01-01T00:00:00Z' }),
        entry('ring', { scopes: ['all'] }),
      ],
    });
    await until(async () => (await codeOf(gateway, '/any', 'key-of-ops')) === '200');
    expect(await codeOf(gateway, '/any', 'plain-key')).toBe('200');
    expect(await codeOf(gateway, '/scoped', 'key-of-ops')).toBe('200');
    expect(await codeOf(gateway, '/scoped', 'key-of-reader')).toBe('403 scope_missing');
    expect(await codeOf(gateway, '/scoped', 'plain-key')).toBe('403 scope_missing');
    expect(await codeOf(gateway, '/any', 'key-of-ended')).toBe('401 key_expired');
    expect(await codeOf(gateway, '/any', 'key-of-revoked')).toBe('401 key_revoked');
    expect(await (await gateway.fetch('/auth/status', withKey('key-of-ops'))).json()).toMatchObject({
      name: 'ops',
      scopes: ['read', 'write'],
    });

    expect(await codeOf(gateway, '/own', 'key-of-ring')).toBe('200');
    expect(await codeOf(gateway, '/own', 'key-of-ops')).toBe('401 key_invalid');
    await put(join(gateway.folder, 'ring.txt'), 'key-of-ops\n');
    await until(async () => (await codeOf(gateway, '/own', 'key-of-ops')) === '200');

    await put(path, { keys: [entry('ops', { revoked_at: new Date().toISOString() })] });
    await until(async () => (await codeOf(gateway, '/any', 'key-of-ops')) === '401 key_revoked');
    expect(await codeOf(gateway, '/own', 'key-of-ops'), 'listed without its end elsewhere').toBe('401 key_revoked');
    expect(await codeOf(gateway, '/any', 'plain-key')).toBe('200');
  });

  it.skipIf(process.platform === 'win32')('must be readable only for its owner', async () => {
    const folder = await makeFolder({ ...files, 'keys.json': { keys: [entry('ops')] } });
    const path = join(folder, 'keys.json');
    await chmod(path, 0o640);
    const { ended, output } = spawnGateway(folder);
    expect(await ended).toBe(1);
    expect(output()).toContain(`chmod 600 ${path}`);

    await chmod(path, 0o600);
    const gateway = await startGateway(folder);
    await chmod(path, 0o644);
    await until(async () => (await gateway.configurationStatus()).status === 'degraded');
    expect(await codeOf(gateway, '/any', 'key-of-ops')).toBe('200');
    await chmod(path, 0o600);
    await until(async () => (await gateway.configurationStatus()).status === 'ready');
  });

  it('must not be removed: its keys stay valid', async () => {
    const folder = await makeFolder({ ...files, 'keys.json': { keys: [entry('ops')] } });
    const gateway = await startGateway(folder);
    await rm(join(folder, 'keys.json'));
    const { reason } = await until(async () => {
      const status = await gateway.configurationStatus();
      return status.status === 'degraded' ? status : undefined;
    });
    expect(reason).toContain('keys.json');
    expect(await codeOf(gateway, '/any', 'key-of-ops')).toBe('200');
  });
});

describe('a file with one key per line', () => {
  it('is reported when it is removed, and read when it is restored', async () => {
    const gateway = await startGateway(await makeFolder(files));
    const path = join(gateway.folder, 'ring.txt');
    await rm(path);
    await until(async () => (await gateway.configurationStatus()).status === 'degraded');
    expect(await codeOf(gateway, '/own', 'key-of-ring')).toBe('200');

    await put(path, 'key-of-another\n');
    await until(async () => (await gateway.configurationStatus()).status === 'ready');
    expect(await codeOf(gateway, '/own', 'key-of-another')).toBe('200');
    expect(await codeOf(gateway, '/own', 'key-of-ring')).toBe('401 key_invalid');
  });
});

describe('a key', () => {
  /** Everything that a service, or injected code, can read in the process. */
  const spy = `import { getHeapSnapshot } from 'node:v8';
import { defineService, z } from 'rostergate';

export default defineService({
  name: 'spy', summary: 'x', parameters: z.object({}), response: z.object({ seen: z.string(), found: z.array(z.string()) }),
  async handle() {
    let heap = '';
    const found = new Set<string>();
    for await (const chunk of getHeapSnapshot()) {
      heap = heap.slice(-200) + chunk;
      for (const [name] of heap.matchAll(/canary-[a-z]+/g)) found.add(name);
    }
    return { seen: JSON.stringify([process.env, process.argv, process.title]), found: [...found] };
  },
});
`;

  it('cannot be read from the process, for any source', async () => {
    const folder = await makeFolder({
      'settings.json': {
        ...{ rate_limit_enabled: false, keys_file: 'keys.json', log_level: 'trace' },
        // The snapshot of the heap takes long on a busy machine.
        service_timeout_ms: 0,
      },
      'endpoints.json': {
        endpoints: [
          { path: '/spy', service: 'spy' },
          secured('/listed', { api_keys: 'canary-listed,canary-second' }),
          secured('/file', { api_keys: 'ring.txt' }),
          secured('/single', { api_keys: 'canary-single' }),
        ],
      },
      'ring.txt': 'canary-file\n',
      'services/spy.ts': spy,
    });
    const gateway = await startGateway(folder, {
      env: { ROSTERGATE_API_KEYS: 'canary-environment', ROSTERGATE_REDIS_URL: '' },
    });
    const spied = (await (await gateway.fetch('/spy')).json()) as { seen: string; found: string[] };
    expect(spied.seen).not.toMatch(/canary|ROSTERGATE_API_KEYS|ROSTERGATE_REDIS_URL/);
    expect(spied.found).toEqual([]);
    if (process.platform === 'linux') {
      expect(await readFile(`/proc/${gateway.child.pid}/cmdline`, 'utf8')).not.toContain('canary');
    }

    // They are valid before and after a reload.
    for (const round of ['before', 'after']) {
      expect(await codeOf(gateway, '/auth/status', 'canary-environment'), round).toBe('200');
      expect(await codeOf(gateway, '/listed', 'canary-second'), round).toBe('200');
      expect(await codeOf(gateway, '/file', 'canary-file'), round).toBe('200');
      expect(await codeOf(gateway, '/single', 'canary-single'), round).toBe('200');
      await put(join(folder, 'ring.txt'), `canary-file\ncanary-${round}\n`);
      await until(async () => (await codeOf(gateway, '/file', `canary-${round}`)) === '200');
    }
    await put(join(folder, 'ring.txt'), 'canary-file canary-bad\n');
    await until(async () => (await gateway.configurationStatus()).status === 'degraded');
    const shown = await Promise.all(
      ['/metrics', '/health/ready', '/openapi.json', '/endpoints'].map(async (path) =>
        (await gateway.fetch(path)).text(),
      ),
    );
    expect(shown.join() + gateway.output()).not.toContain('canary');
  });
});
