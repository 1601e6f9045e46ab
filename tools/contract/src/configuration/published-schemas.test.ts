import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkJsonFile, parseJsonFile } from '@rostergate/config';
import { parseEndpoints, type Service } from '@rostergate/endpoints';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { rootFolder } from '../workspace.ts';

const gateway = join(rootFolder, 'apps/gateway');
const proxy = join(rootFolder, 'apps/staff-proxy');
const isOfProxy = (file: string) => file.includes('proxy');

function publishedSchema(file: string): (value: unknown) => boolean {
  const folder = isOfProxy(file) ? proxy : gateway;
  const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(join(folder, `schemas/${file}.schema.json`), 'utf8')));
}

/** Returns whether the server accepts a file with this content. */
async function createReader(file: string): Promise<(value: unknown) => boolean> {
  if (file === 'endpoints') {
    const { describeBuiltInServices }: { describeBuiltInServices: () => readonly Service[] } = await import(
      join(gateway, 'src/services/index.ts')
    );
    return (value) => parseEndpoints(value, describeBuiltInServices()).faults.length === 0;
  }
  const schema = await loadSchema(file);
  return (value) => {
    try {
      checkJsonFile(schema, parseJsonFile(JSON.stringify(value), file));
      return true;
    } catch {
      return false;
    }
  };
}

async function loadSchema(file: string): Promise<Parameters<typeof checkJsonFile>[0]> {
  if (file === 'settings') return (await import(join(gateway, 'src/settings.ts'))).settingsSchema;
  if (file === 'keys') return (await import(join(gateway, 'src/sources/read-keys.ts'))).keysFileSchema();
  if (file === 'staff-proxy') return (await import(join(proxy, 'src/settings.ts'))).settingsSchema;
  return (await import(join(proxy, 'src/keys/keys-file-schema.ts'))).keysFileSchema;
}

const endpoint = { path: '/a', service: 'echo' };
const key = { name: 'ops', owner: 'a', sha256: '0'.repeat(64) };

describe.each([
  [
    'settings',
    [{}, { port: 0 }, { _note: 1, $schema: './x' }, { enabled_routers: [] }, { cors_origins: ['https://a.example'] }],
    [
      [],
      5,
      { prt: 1 },
      { port: -1 },
      { port: '1' },
      { port: 65_536 },
      { enabled_routers: ['x'] },
      { redis_url: 'http://a' },
    ],
  ],
  [
    'endpoints',
    [
      {},
      { endpoints: [] },
      { endpoints: [endpoint] },
      { endpoints: [{ ...endpoint, _why: 1, api_keys: null }], _n: 1 },
    ],
    [
      { endpoint: [] },
      { endpoints: {} },
      { endpoints: [{ path: '/a' }] },
      { endpoints: [{ ...endpoint, path: 'a' }] },
      { endpoints: [{ ...endpoint, retries: 1 }] },
      { endpoints: [{ ...endpoint, cache_seconds: -1 }] },
    ],
  ],
  [
    'keys',
    [
      { keys: [] },
      { keys: [key], _n: 1 },
      { keys: [{ ...key, expires_at: null, created_at: '2026-01-01T00:00:00Z', _n: 1 }] },
    ],
    [
      {},
      { keys: [{ ...key, sha256: 'x' }] },
      { keys: [{ ...key, expires_at: 'soon' }] },
      { keys: [{ ...key, role: 1 }] },
    ],
  ],
  [
    'staff-proxy',
    [
      {},
      { upstream_url: 'https://up.example', upstream_form: 'vendor' },
      { _note: 1, $schema: './x' },
      { cache_seconds_max: 0 },
    ],
    [[], { upstream: 'x' }, { port: '1' }, { upstream_retries: 6 }, { validate_responses: 'always' }],
  ],
  [
    'proxy-keys',
    [
      { accounts: {} },
      {
        accounts: { a: { email: 'e', password: 'p', company_key: 'c', _why: 1 } },
        keys: [{ ...key, account: 'a', read_only: true, operations: { deny: ['listBadgeIds'] } }],
      },
    ],
    [
      {},
      { accounts: { a: { email: 'e', company: 'c' } } },
      { accounts: {}, keys: [{ ...key, account: 'a', operations: { only: [] } }] },
      { accounts: {}, keys: [{ ...key, account: 'a', sha256: 'x' }] },
    ],
  ],
] as const)('the published schema of %s.json', (file, good, bad) => {
  it('accepts what the server accepts', async () => {
    const [accepts, reads] = [publishedSchema(file), await createReader(file)];
    expect(good.map((value) => [value, accepts(value), reads(value)])).toEqual(
      good.map((value) => [value, true, true]),
    );
  });

  it('rejects what the server rejects', async () => {
    const [accepts, reads] = [publishedSchema(file), await createReader(file)];
    expect(bad.map((value) => [value, accepts(value), reads(value)])).toEqual(
      bad.map((value) => [value, false, false]),
    );
  });
});
