import { describe, expect, it } from 'vitest';
import { services } from '../test/services.ts';
import { securityOf } from './endpoint-auth.ts';
import { parseEndpoints } from './parse-endpoints.ts';

const issuers = ['corp', 'partner'];

function read(more: object, options: object = { issuers }) {
  const entry = { path: '/api/a', service: 'quote', ...more };
  const { endpoints, faults } = parseEndpoints({ endpoints: [entry] }, services, new Map(), options);
  return { endpoint: endpoints[0], faults: faults.map(({ pointer, detail }) => `${pointer} ${detail}`) };
}

describe('auth', () => {
  it.each([
    [{}, false, false, []],
    [{ requires_auth: true }, true, true, []],
    [{ auth: ['key'] }, true, true, []],
    [{ auth: ['key', 'jwt:corp'] }, true, true, ['corp']],
    [{ auth: ['jwt:corp', 'jwt:partner'] }, true, false, ['corp', 'partner']],
    [{ auth: ['key', 'jwt:corp'], requires_auth: true, api_keys: 'a' }, true, true, ['corp']],
    [{ auth: ['jwt:corp'], scopes: ['a'] }, true, false, ['corp']],
  ])('of %j', (given, requiresAuth, acceptsKeys, names) => {
    const { endpoint, faults } = read(given);
    expect(faults).toEqual([]);
    expect(endpoint).toMatchObject({ requiresAuth, acceptsKeys, issuers: names });
  });

  it.each([
    [{ auth: ['jwt:corp'], requires_auth: false }, '/requires_auth must be true or left out when auth is set'],
    [{ auth: ['jwt:corp'], requires_auth: true }, '/auth must contain "key" when requires_auth is true'],
    [{ auth: ['jwt:corp'], api_keys: 'a' }, '/auth must contain "key" when api_keys are set'],
    [
      { auth: ['jwt:crop'] },
      '/auth/0 names the issuer "crop", which is not in jwt_issuers of settings.json. Did you mean',
    ],
    [{ auth: ['jwt:other-name'] }, 'settings.json. Known issuers: corp, partner.'],
    [{ auth: ['key', 'key'] }, '/auth/1 repeats "key"'],
    [{ auth: [] }, '/auth '],
    [{ auth: 'key' }, '/auth '],
    [{ auth: ['basic'] }, '/auth/0 It must be key, or jwt: and the name of an issuer such as jwt:corp'],
    [{ auth: ['jwt:'] }, '/auth/0 It must be key'],
    [{ auth: ['JWT:corp'] }, '/auth/0 It must be key'],
  ])('reports a fault of %j', (given, fault) => {
    expect(read(given).faults.join('\n')).toContain(fault);
  });

  it('accepts any issuer while the settings are not known', () => {
    expect(read({ auth: ['jwt:other'] }, {}).faults).toEqual([]);
  });
});

it('describes each way as an alternative', () => {
  expect(securityOf({ requiresAuth: true, acceptsKeys: true, issuers: ['corp'] })).toEqual([
    { apiKeyHeader: [] },
    { apiKeyBearer: [] },
    { 'jwt-corp': [] },
  ]);
  expect(securityOf({ requiresAuth: false, acceptsKeys: false, issuers: [] })).toEqual([]);
});
