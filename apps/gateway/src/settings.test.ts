import { ConfigError } from '@rostergate/config';
import * as serverFields from '@rostergate/config/server-fields';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { readSettings, settingsSchema } from './settings.ts';

const faultsOf = (values: object) => {
  try {
    readSettings({ env: {}, file: { path: 'settings.json', text: JSON.stringify(values, null, 2) } });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('There is no fault.');
};

describe('the settings of the limits', () => {
  it('report each invalid trusted proxy, with its position, beside all other faults', () => {
    const { faults } = faultsOf({ port: 'x', trusted_proxies: ['10.0.0.0/8', 'proxy.example', '10.0.0.0/33'] });
    expect(faults.map(({ field, where }) => [field, where])).toEqual([
      ['port', 'settings.json:2:11'],
      ['trusted_proxies[1]', 'settings.json:5:5'],
      ['trusted_proxies[2]', 'settings.json:6:5'],
    ]);
    expect(faults[1]?.detail).toMatch(
      /^"proxy\.example" is neither an address nor a CIDR block such as 10\.0\.0\.0\/8\./,
    );
  });

  it.each([
    'redis://:p@ss word#/0',
    'redis://user:canary@host:port/0',
    'redis://user:canary@host/zero',
    'redis://user:%canary@host/0',
    'redis:///0',
  ])('reject an invalid Redis address without repeating it: %s', (url) => {
    const { faults, message } = faultsOf({ redis_url: url });
    expect(faults).toMatchObject([
      { field: 'redis_url', detail: expect.stringContaining('redis://user:password@host') },
    ]);
    expect(message).not.toContain('canary');
  });

  it.each(['redis://localhost', 'rediss://user:p%40ss@redis.example:6380/1', 'redis://:secret@[::1]:6379', ''])(
    'accept %s',
    (url) => {
      expect(readSettings({ env: { ROSTERGATE_REDIS_URL: url } }).redis_url).toBe(url);
    },
  );
});

it('of every server have the descriptions of this contract', () => {
  const { listenFields, storeFailureField, compressionField, bodyBytesMaxField, ...groups } = serverFields;
  const shared = {
    rate_limit_on_store_failure: storeFailureField,
    enable_compression: compressionField,
    body_bytes_max: bodyBytesMaxField,
    ...Object.assign({}, listenFields(8000), ...Object.values(groups)),
  };
  const described = (shape: Readonly<Record<string, z.ZodType>>) =>
    Object.keys(shared).map((field) => [field, shape[field]?.toJSONSchema({ io: 'input' }).description]);
  expect(described(shared)).toEqual(described(settingsSchema.shape));
});
