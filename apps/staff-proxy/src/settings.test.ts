import { loadSettings } from '@rostergate/config';
import { describe, expect, test } from 'vitest';
import { settingsPrefix, settingsSchema } from './settings.ts';

const parse = (more: object = {}) => settingsSchema.safeParse({ keys_file: 'proxy-keys.json', ...more });

describe('the settings', () => {
  test('have the documented defaults', () => {
    expect(parse().data).toMatchObject({
      host: '127.0.0.1',
      port: 8010,
      rate_limit_per_minute: 60,
      rate_limit_per_minute_authenticated: 300,
      token_lifetime_s: 3_600,
    });
    expect(String(parse().data?.upstream_url)).toBe('http://127.0.0.1:8020/v2');
  });

  test.each([
    ['http://up.test', 'http://up.test/v2'],
    ['http://up.test:81/', 'http://up.test:81/v2'],
    ['https://up.test/v2/', 'https://up.test/v2'],
    ['https://up.test/api', 'https://up.test/api/v2'],
  ])('read the upstream address %s as %s', (text, base) => {
    expect(String(parse({ upstream_url: text }).data?.upstream_url)).toBe(base);
  });

  test.each(['up.test', 'ftp://up.test', 'http://user:canary@up.test', 'http://up.test/?key=canary', 'http://'])(
    'reject the upstream address %s without repeating it',
    (text) => {
      const load = () =>
        loadSettings({
          schema: settingsSchema,
          prefix: settingsPrefix,
          env: { ROSTERGATE_PROXY_KEYS_FILE: 'k', ROSTERGATE_PROXY_UPSTREAM_URL: text },
        });
      expect(load).toThrow('environment ROSTERGATE_PROXY_UPSTREAM_URL  upstream_url: Write an http');
      expect(load).not.toThrow('canary');
    },
  );

  test('reject an upstream address with port 0', () => {
    const { error } = parse({ upstream_url: 'http://up.test:0' });
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('port 0')]);
  });

  test('come from the environment with the prefix of the proxy', () => {
    const env = {
      ROSTERGATE_PROXY_KEYS_FILE: 'k',
      ROSTERGATE_PROXY_PORT: '81',
      ROSTERGATE_PROXY_RATE_LIMIT_ENABLED: 'false',
    };
    expect(loadSettings({ schema: settingsSchema, prefix: settingsPrefix, env })).toMatchObject({
      keys_file: 'k',
      port: 81,
      rate_limit_enabled: false,
    });
  });

  test('reject an unknown field', () => {
    expect(parse({ keysFile: 'x' }).error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['keysFile'] }]);
  });

  test('describe every field', () => {
    for (const [field, schema] of Object.entries(settingsSchema.shape))
      expect(schema.description, field).toMatch(/\.$/);
  });
});
