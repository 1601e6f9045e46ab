import { ConfigError } from '@rostergate/config';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from './configuration.ts';
import { describeBuiltInServices } from './services/index.ts';

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
