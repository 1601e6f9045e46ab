import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { loadSettings, type SettingsSources, takeSecrets } from './load-settings.ts';

const schema = z.object({
  port: z.int().min(0).max(65_535).default(8000).meta({ description: 'Port to listen on' }),
  host: z.string().min(1).default('127.0.0.1'),
  enable_docs: z.boolean().default(true),
  enabled_routers: z.array(z.enum(['health', 'metrics', 'auth'])).default(['health', 'metrics', 'auth']),
  store: z.enum(['local', 'open', 'closed']).default('local'),
  ratio: z.number().optional(),
  cors: z.object({ origins: z.array(z.string()), max_age: z.int().optional() }).optional(),
  retries: z.union([z.literal('none'), z.int()]).optional(),
  api_keys: z.string().min(5).meta({ secret: true }).optional(),
});

type Sources = Partial<Omit<SettingsSources<typeof schema>, 'file'>> & { file?: string };

function load({ file, ...sources }: Sources = {}) {
  const path = 'settings.json';
  return loadSettings({
    schema,
    prefix: 'APP_',
    env: {},
    ...sources,
    file: file === undefined ? undefined : { path, text: file },
  });
}

function faultsOf(sources: Sources): string[] {
  try {
    load(sources);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

describe('loadSettings', () => {
  it('returns the defaults of the schema without sources', () => {
    expect(load()).toMatchObject({ port: 8000, host: '127.0.0.1', enable_docs: true });
  });

  it('the command line overrides the environment, which overrides the file, which overrides the default', () => {
    const file = '{ "port": 1, "host": "file", "store": "open" }';
    const env = { APP_PORT: '2', APP_HOST: 'env' };
    expect(load({ file, env, args: { port: 3 } })).toMatchObject({
      port: 3,
      host: 'env',
      store: 'open',
      enable_docs: true,
    });
  });

  it('ignores an empty environment value and an undefined option', () => {
    expect(load({ file: '{ "port": 1 }', env: { APP_PORT: '' }, args: { port: undefined } }).port).toBe(1);
  });

  it('ignores notes and $schema in a file', () => {
    expect(
      load({ file: '{ "$schema": "x", "_note": { "any": 1 }, "cors": { "_why": "", "origins": [] } }' }).cors,
    ).toEqual({
      origins: [],
    });
  });

  it('freezes the settings recursively', () => {
    const settings = load({ file: '{ "cors": { "origins": ["a"] } }' });
    expect([settings, settings.cors, settings.cors?.origins].every(Object.isFrozen)).toBe(true);
  });

  it.each([
    ['port', ' 12 ', 12],
    ['ratio', '-1.5e3', -1500],
    ['enable_docs', 'FALSE', false],
    ['enable_docs', '1', true],
    ['enable_docs', 'off', false],
    ['enabled_routers', 'health, auth', ['health', 'auth']],
    ['enabled_routers', '["health"]', ['health']],
    ['enabled_routers', ',', []],
    ['cors', '{"origins":["a"],"max_age":5}', { origins: ['a'], max_age: 5 }],
    ['retries', 'none', 'none'],
    ['retries', '3', 3],
    ['api_keys', 'a,b,c', 'a,b,c'],
    ['host', '8000', '8000'],
  ])('converts %s from the text %j by its type', (field, text, value) => {
    expect(load({ env: { [`APP_${field.toUpperCase()}`]: text } })).toHaveProperty(field, value);
    expect(load({ args: { [field]: text } })).toHaveProperty(field, value);
  });

  it('parses any number and boolean from its own text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), (ratio, docs) => {
        const env = { APP_RATIO: String(ratio), APP_ENABLE_DOCS: String(docs) };
        expect(load({ env })).toMatchObject({ ratio: ratio + 0, enable_docs: docs });
      }),
    );
  });

  it('accepts options in camel case and with hyphens', () => {
    expect(load({ args: { enableDocs: false } }).enable_docs).toBe(false);
    expect(load({ args: { 'enable-docs': 'no' } }).enable_docs).toBe(false);
  });
});

describe('faults of settings', () => {
  it('are all reported, each with its source, value and remedy', () => {
    const file = '{\n  "prot": 1,\n  "enable_docs": "yes",\n  "cors": { "origin": [] }\n}';
    expect(faultsOf({ file, env: { APP_STORE: 'opn' }, args: { port: '99999' } })).toEqual([
      'settings.json:2:3  prot: There is no such field. Did you mean port?',
      'option --port  port: Too big: expected number to be <=65535. Given: 99999. Port to listen on.',
      'settings.json:3:18  enable_docs: Expected boolean, received string. Given: "yes".',
      'environment APP_STORE  store: Expected one of "local"|"open"|"closed". Given: "opn". Did you mean open?',
      'settings.json:4:13  cors.origin: There is no such field. Did you mean origins?',
      'settings.json:4:3  cors.origins: It is required.',
    ]);
  });

  it('include line and column of invalid JSON beside the faults of other sources', () => {
    expect(faultsOf({ file: '{\n  "port": 1,\n}', env: { APP_PORT: 'x' } })).toEqual([
      'settings.json:2:12  Remove this comma: the last entry has none after it.',
      'environment APP_PORT  port: Expected number, received string. Given: "x". Port to listen on.',
    ]);
  });

  it.each(['[]', '"text"', 'null', '7'])('reject a file that contains %s', (file) => {
    expect(faultsOf({ file })).toEqual(['settings.json:1:1  The file must contain one JSON object, { … }.']);
  });

  it('include unknown names that resemble no field, and inherited ones', () => {
    expect(faultsOf({ file: '{ "colour_of_the_sky": 1, "constructor": 1, "__proto__": {} }' })).toEqual([
      'settings.json:1:3  colour_of_the_sky: There is no such field. Use one of: port, host, enable_docs, enabled_routers, store, ratio, cors, retries, api_keys.',
      'settings.json:1:27  constructor: There is no such field. Use one of: port, host, enable_docs, enabled_routers, store, ratio, cors, retries, api_keys.',
    ]);
  });

  it('include a typo in the environment, but no other name with the prefix', () => {
    expect(faultsOf({ env: { APP_PROT: '1', APP_PROXY_PORT: '1', APP_PORT_80_TCP: 'x', OTHER_PROT: '1' } })).toEqual([
      'environment APP_PROT  prot: There is no such field. Did you mean APP_PORT?',
    ]);
  });

  it('include an unknown option', () => {
    expect(faultsOf({ args: { enableDoc: true } })).toEqual([
      'option --enable-doc  enable_doc: There is no such option. Did you mean enable_docs?',
    ]);
  });

  it('name where a required field can be set', () => {
    const strict = z.object({ key: z.string() });
    const missing = (file?: { path: string; text: string }) => () =>
      loadSettings({ schema: strict, prefix: 'APP_', env: {}, file });
    expect(missing({ path: 'a.json', text: '{}' })).toThrow(
      'a.json  key: It is required. Set it in a.json or APP_KEY.',
    );
    expect(missing()).toThrow('environment  key: It is required. Set APP_KEY.');
  });

  it('describe each option of a union', () => {
    expect(faultsOf({ env: { APP_RETRIES: 'some' } })).toEqual([
      'environment APP_RETRIES  retries: Expected "none", or expected number, received string. Given: "some".',
    ]);
  });

  it('never contain a secret', () => {
    const secrets = z.object({
      api_keys: z
        .string()
        .refine(() => false, { error: (issue) => `Bad: ${String(issue.input)}` })
        .meta({ secret: true })
        .optional(),
      list: z.array(z.string().max(2)).meta({ secret: true }).optional(),
      nested: z.object({ token: z.enum(['a', 'b']).meta({ secret: true }) }).optional(),
    });
    const text = '{ "api_keys": "hush", "list": ["hush"], "nested": { "token": "hush" } }';
    const env = { APP_API_KEYS: 'hush', APP_LIST: 'hush', APP_NESTED: '{"token":"hush"}' };
    for (const source of [{ env: {}, file: { path: 'a.json', text } }, { env }]) {
      try {
        loadSettings({ schema: secrets, prefix: 'APP_', ...source });
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        expect((error as ConfigError).faults).toHaveLength(3);
        expect(JSON.stringify([String(error), (error as ConfigError).faults])).not.toContain('hush');
      }
    }
  });
});

it('removes secrets from the environment of the process and returns them in a copy', () => {
  const env: Record<string, string | undefined> = { PATH: '/bin', X_URL: 'hush' };
  expect(takeSecrets(env, ['X_URL', 'Y_URL'])).toEqual({ PATH: '/bin', X_URL: 'hush' });
  expect(env).toEqual({ PATH: '/bin' });
});
