import { ConfigError } from '@rostergate/config';
import { describe, expect, it } from 'vitest';
import { createTextReader, loadConfiguration, readEdit } from './configuration-reader.ts';
import { describeBuiltInServices } from './services/index.ts';
import type { Edit, EditVerdict } from './sources/try-edit.ts';

function load(files: Record<string, string>, env: Record<string, string> = {}, args?: Record<string, unknown>) {
  return loadConfiguration({
    settingsFile: '/gw/settings.json',
    env,
    args,
    readText: (path) => files[path],
    createServices: describeBuiltInServices,
  });
}

async function faultsOf(files: Record<string, string>, env: Record<string, string> = {}): Promise<string[]> {
  try {
    await load(files, env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.faults.map(({ where, field, detail }) => `${where} ${field} ${detail}`);
    throw error;
  }
  return [];
}

describe('loadConfiguration', () => {
  it('requires no file', async () => {
    expect(await load({})).toMatchObject({
      settings: {
        enabled_routers: ['health', 'metrics', 'auth', 'endpoints'],
        rate_limit_per_minute: 60,
        rate_limit_per_minute_authenticated: 300,
      },
      endpoints: [],
      keys: [],
    });
  });

  it('prefers the command line to the environment to the file', async () => {
    const files = { '/gw/settings.json': '{ "port": 1, "host": "a", "rate_limit_per_minute": 1 }' };
    const { settings } = await load(files, { ROSTERGATE_PORT: '2', ROSTERGATE_HOST: 'b' }, { port: 3 });
    expect(settings).toMatchObject({ port: 3, host: 'b', rate_limit_per_minute: 1 });
  });

  it('reads lists and booleans from the environment', async () => {
    const { settings } = await load({}, { ROSTERGATE_ENABLED_ROUTERS: '["health"]', ROSTERGATE_ENABLE_DOCS: 'false' });
    expect(settings).toMatchObject({ enabled_routers: ['health'], enable_docs: false });
  });

  it('reports the faults of both files at once, each with line and column', async () => {
    expect(
      await faultsOf({
        '/gw/settings.json': '{\n  "prot": 1,\n  "port": 70000\n}',
        '/gw/endpoints.json': '{ "endpoints": [\n  { "path": "/health", "service": "crpyto" }\n] }',
      }),
    ).toEqual([
      expect.stringMatching(/^\/gw\/settings\.json:2:3 prot There is no such field\. Did you mean port\?/),
      expect.stringMatching(/^\/gw\/settings\.json:3:\d+ port /),
      expect.stringMatching(/^\/gw\/endpoints\.json:2:13 endpoints\[0\]\.path collides with the built-in \/health/),
      expect.stringMatching(
        /^\/gw\/endpoints\.json:2:35 endpoints\[0\]\.service "crpyto" does not exist\. Did you mean crypto\?/,
      ),
    ]);
  });

  it('reports a file that is not JSON', async () => {
    expect(await faultsOf({ '/gw/endpoints.json': '{ "endpoints": [' })).toEqual([
      expect.stringMatching(/^\/gw\/endpoints\.json:1:\d+ /),
    ]);
  });

  it('requires a file only if it is named explicitly', async () => {
    expect(await faultsOf({})).toEqual([]);
    expect(await faultsOf({ '/gw/settings.json': '{ "endpoints_file": "mine.json" }' })).toEqual([
      '/gw/mine.json  There is no such file. Write it, or correct endpoints_file.',
    ]);
    const named = { settingsFile: '/gw/mine.json', isSettingsFileNamed: true };
    const options = { env: {}, readText: () => undefined, createServices: describeBuiltInServices };
    await expect(loadConfiguration({ ...named, ...options })).rejects.toThrow('/gw/mine.json');
  });

  it('never shows a key, even an invalid one', async () => {
    const faults = await faultsOf({ '/gw/settings.json': '{ "api_keys": "hush hush" }' });
    expect(faults).toHaveLength(1);
    expect(faults[0]).not.toContain('hush hush');
    expect((await faultsOf({ '/gw/settings.json': '{ "api_keys": 123456 }' }))[0]).not.toContain('123456');
  });

  it('reads the keys of an endpoint, from a list or a file', async () => {
    const endpoints = (apiKeys: string) =>
      JSON.stringify({ endpoints: [{ path: '/a', service: 'crypto', requires_auth: true, api_keys: apiKeys }] });
    expect((await load({ '/gw/endpoints.json': endpoints('x, y') })).endpointKeys.get('getA')).toHaveLength(2);
    const files = { '/gw/endpoints.json': endpoints('ring.txt'), '/gw/ring.txt': 'one\n' };
    expect((await load(files)).endpointKeys.get('getA')).toHaveLength(1);
    expect(await faultsOf({ '/gw/endpoints.json': endpoints('ring.txt') })).toEqual([
      expect.stringContaining('endpoints[0].api_keys'),
    ]);
  });

  it('reports an invalid key of an endpoint beside invalid entries', async () => {
    const bad = { path: '/a', service: 'crypto', requires_auth: true, api_keys: '/{a}/{a}' };
    for (const other of [null, 1, [], { path: '/a', service: 'crypto', method: { toString: 1 } }]) {
      const faults = await faultsOf({ '/gw/endpoints.json': JSON.stringify({ endpoints: [other, bad] }) });
      expect(faults.join('\n')).toContain('endpoints[1].api_keys');
    }
  });

  it('keeps an endpoint secured if its key file is empty', async () => {
    const files = {
      '/gw/endpoints.json':
        '{ "endpoints": [{ "path": "/a", "service": "crypto", "requires_auth": true, "api_keys": "ring.txt" }] }',
      '/gw/ring.txt': '',
    };
    const { endpoints, endpointKeys } = await load(files);
    expect(endpoints[0]?.requiresAuth).toBe(true);
    expect(endpointKeys.get('getA')).toEqual([]);
  });

  it('reads files in the original format', async () => {
    const settings = {
      _comment: 'Keys that begin with _ are notes.',
      enable_landing_page: false,
      enable_docs: true,
      enable_redoc: true,
      enable_openapi: true,
      enabled_routers: ['health', 'metrics', 'auth', 'endpoints'],
      api_keys: 'one, two',
      rate_limit_enabled: true,
      rate_limit_per_minute: 60,
      rate_limit_per_minute_authenticated: 300,
    };
    const endpoint = {
      path: '/crypto/{symbol}',
      method: 'GET',
      service: 'Crypto',
      enabled: true,
      requires_auth: true,
      api_keys: null,
      description: 'Price of a coin',
      summary: null,
      tags: ['prices'],
      parameters: { symbol: { source: 'path', key: 'symbol' } },
    };
    const configuration = await load({
      '/gw/settings.json': JSON.stringify(settings),
      '/gw/endpoints.json': JSON.stringify({ _note: 'ours', endpoints: [endpoint, { ...endpoint, enabled: false }] }),
    });
    const { _comment, api_keys, ...others } = settings;
    expect(configuration.settings).toMatchObject(others);
    expect(configuration.keys).toHaveLength(2);
    expect(configuration.endpoints).toMatchObject([{ path: '/crypto/{symbol}', summary: 'Price of a coin' }]);
  });
});

describe('readEdit', () => {
  const endpoints = [
    { path: '/own', service: 'mine', requires_auth: true, api_keys: './own.keys' },
    { path: '/off', service: 'mine', requires_auth: true, api_keys: './off.keys', enabled: false },
    { path: '/pets', service: 'http', contract: { document: 'pets.json', operation_id: 'getPets' } },
  ];
  const withoutServices = { 'settings.json': '{}', 'endpoints.json': '{ "endpoints": [] }' };
  const withServices = {
    'settings.json': '{ "api_keys": "./all.keys", "keys_file": "ring.json" }',
    'endpoints.json': JSON.stringify({ endpoints }),
    'all.keys': 'sha256:5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8',
    'own.keys': 'sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
    'ring.json': '{ "keys": [] }',
    'pets.json': '{}',
    'services/mine.ts': "import './lib/part.ts';",
    'services/lib/part.ts': '',
  };

  /** Reads the files; returns the result and the checked edits. */
  async function read(
    files: Readonly<Record<string, string>>,
    verdict: EditVerdict = { faults: [], rejected: new Map() },
  ) {
    const names = Object.keys(files).flatMap((name) => /^services\/([^/]+)$/.exec(name)?.[1] ?? []);
    const tried: Edit[] = [];
    const result = await readEdit({
      settingsFile: '/gw/settings.json',
      env: {},
      reader: createTextReader(
        (path) => files[path.replace('/gw/', '')],
        (path) => (path === '/gw/services' && names.length > 0 ? names : undefined),
      ),
      createServices: describeBuiltInServices,
      async tryEdit(edit) {
        tried.push(edit);
        return verdict;
      },
    });
    return { result, tried };
  }

  it('checks no edit without services', async () => {
    const { result, tried } = await read(withoutServices);
    expect(result).toHaveProperty('configuration');
    expect(tried).toEqual([]);
  });

  it('passes every file of the edit to the trial, and loads no code', async () => {
    const { result, tried } = await read(withServices);
    expect(result).toEqual({ load: expect.any(Function) });
    const files = Object.keys(withServices).map((name) => `/gw/${name}`);
    expect([...(tried[0]?.states.keys() ?? [])].sort()).toEqual([...files, '/gw/services'].sort());
  });

  it('returns the faults of the trial and of rejected modules, each once', async () => {
    const fault = { where: '/gw/endpoints.json', field: '', detail: 'It is not good.' };
    const module = { path: '/gw/services/mine.ts', line: 2, column: 3, field: '', detail: 'It does not load.' };
    const reported = { where: '/gw/services/mine.ts:2:3', field: '', detail: 'It does not load.' };
    const place = { file: '/gw/services/mine.ts', line: 2, column: 3 };
    const rejected = new Map([['/gw/services/mine.ts', [module]]]);
    const { result } = await read(withServices, { faults: [fault], rejected });
    expect(result).toEqual({ faults: [fault, { ...reported, place }] });
    const again = await read(withServices, { faults: [fault, { ...reported, place }], rejected });
    expect(again.result).toEqual(result);
  });

  it('rejects an edit with an unreadable file although the trial accepts it', async () => {
    const { result } = await read({ ...withServices, 'settings.json': '{' });
    expect(result).toMatchObject({ faults: [{ where: expect.stringContaining('/gw/settings.json') }] });
  });
});
