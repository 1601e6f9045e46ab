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

it.each(Object.keys(settingsSchema.shape))('reports objects that have no text as values of %s', (setting) => {
  const hostile = { toString: 'text', valueOf: 1 };
  const nested = { plans: [hostile], issuer: hostile, base_url: hostile, tools: [hostile], limits: [hostile] };
  for (const value of [hostile, [hostile], { free: hostile }, nested, [nested]]) {
    expect(faultsOf({ [setting]: value }).faults.length).toBeGreaterThan(0);
  }
});

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

  it('report every fault of plans, with its position', () => {
    const plans = {
      'bad name': { quota: { requests: 1, per: 'month' } },
      empty: { limits: [] },
      twice: {
        limits: [
          { requests: 1, per: 'day' },
          { requests: 2, per: 'day' },
        ],
      },
      gold: { quota: { requests: 0, per: 'week' } },
    };
    const { faults } = faultsOf({ plans, default_plan: 'golt', anonymous_plan: 'gold' });
    expect(faults.map(({ field, detail }) => `${field} ${detail}`)).toEqual([
      expect.stringMatching(/^plans\.gold\.quota\.requests Too small/),
      expect.stringMatching(/^plans\.gold\.quota\.per .*day.*month/),
      expect.stringMatching(/^plans\.bad name The name of a plan is up to 64 letters/),
      expect.stringMatching(/^plans\.empty A plan without limits would admit every request/),
      expect.stringMatching(/^plans\.twice\.limits\[1\]\.per limits\[0\] is per day too: remove one of the two/),
      expect.stringMatching(/^default_plan There is no such plan in plans\. Did you mean gold\?/),
    ]);
  });

  it.each(['redis://localhost', 'rediss://user:p%40ss@redis.example:6380/1', 'redis://:secret@[::1]:6379', ''])(
    'accept %s',
    (url) => {
      expect(readSettings({ env: { ROSTERGATE_REDIS_URL: url } }).redis_url).toBe(url);
    },
  );
});

describe('jwt_issuers', () => {
  const corp = { name: 'corp', issuer: 'https://id.example', audiences: ['a'] };

  it('has defaults for all but name, issuer and audiences', () => {
    const { jwt_issuers } = readSettings({ env: { ROSTERGATE_JWT_ISSUERS: JSON.stringify([corp]) } });
    expect(jwt_issuers).toEqual([
      {
        ...corp,
        algorithms: ['RS256', 'ES256'],
        token_types: ['at+jwt'],
        owner_claim: 'sub',
        scopes_claim: 'scope',
        plan_claim: '',
        clock_tolerance_seconds: 5,
        keys_refresh_seconds: 300,
        keys_stale_seconds_max: 86_400,
      },
    ]);
  });

  it.each([
    ['issuer', 'http://id.example', /only allowed for an issuer on this machine/],
    ['issuer', 'http://127.0.0.1.example', /only allowed for an issuer on this machine/],
    ['issuer', 'https://user:secret@id.example', /without credentials/],
    ['issuer', 'https://id.example/?a=b', /without credentials, query and fragment/],
    ['issuer', 'https://id.example:99999', /not a URL/],
    ['issuer', 'id.example', /begins with https/],
    ['jwks_url', 'http://id.example/keys', /only allowed for an issuer on this machine/],
    ['jwks_url', 'file:///keys', /begins with https/],
    ['algorithms', ['HS256'], /HS256|RS256/],
    ['algorithms', ['none'], /none|RS256/],
    ['algorithms', [], /./],
    ['audiences', [], /./],
    ['audiences', 'a', /./],
    ['token_types', ['application/jwt'], /media type such as at\+jwt/],
    ['name', 'Corp:1', /lower-case letters/],
    ['keys_stale_seconds_max', 60, /at least keys_refresh_seconds \(300\)/],
    ['clock_tolerance_seconds', 301, /300/],
    ['secret', 'x', /no such field/],
  ])('reports a wrong %s: %j', (field, value, detail) => {
    const { faults } = faultsOf({ jwt_issuers: [{ ...corp, [field]: value }] });
    expect(faults).toHaveLength(1);
    expect(faults[0]?.field).toMatch(new RegExp(`^jwt_issuers\\[0\\]\\.${field}`));
    expect(faults[0]?.detail).toMatch(detail);
    expect(faults[0]?.where).toMatch(/^settings\.json:\d+:\d+$/);
  });

  it('accepts http on this machine, and reports two issuers with one name', () => {
    for (const issuer of ['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9']) {
      expect(readSettings({ env: { ROSTERGATE_JWT_ISSUERS: JSON.stringify([{ ...corp, issuer }]) } })).toBeDefined();
    }
    expect(faultsOf({ jwt_issuers: [corp, { ...corp, issuer: 'https://other.example' }] }).faults).toMatchObject([
      { field: 'jwt_issuers[1].name', detail: expect.stringContaining('Another issuer has the name "corp"') },
    ]);
  });
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
