import { type KeyRecord, keyDigest } from '@rostergate/access/keys';
import type { Context, Principal } from '@rostergate/server';
import { runSteps } from '@rostergate/server/steps';
import { describe, expect, it } from 'vitest';
import { createAuthenticationSteps } from './authenticate.ts';

const record = (name: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  name,
  owner: `owner of ${name}`,
  sha256: keyDigest(`key-of-${name}`),
  scopes: ['a'],
  ...more,
});

const unused = () => {
  throw new Error('There are no issuers.');
};

function identify(name: string | undefined, operationId: string, isPublic: boolean, clock = () => 1_000) {
  const { authenticate } = runSteps(
    createAuthenticationSteps({
      keys: [record('global'), record('expired', { expiresAtMs: 1_000 }), record('revoked', { revokedAtMs: 1 })],
      endpointKeys: new Map([
        ['getOwn', [record('own')]],
        ['getNone', []],
      ]),
      clock,
      endpoints: [],
      issuers: [],
      registry: { verifierOf: unused, countForeign: unused },
    }),
  );
  const rawHeaders = name === undefined ? [] : ['X-API-Key', `key-of-${name}`];
  const context = { req: { rawHeaders }, route: { operationId, isPublic } } as unknown as Context<Principal>;
  try {
    const principal = authenticate(context) as Principal | null;
    return principal === null ? 'anonymous' : principal.name;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('createAuthenticationSteps', () => {
  it.each([
    ['global', 'getAny', false, 'global'],
    ['own', 'getAny', false, 'key_invalid'],
    ['global', 'getOwn', false, 'key_invalid'],
    ['own', 'getOwn', false, 'own'],
    ['own', 'getNone', false, 'key_invalid'],
    ['global', 'getNone', false, 'key_invalid'],
    ['global', 'getPublic', true, 'global'],
    ['own', 'getPublic', true, 'own'],
    ['guess', 'getPublic', true, 'key_invalid'],
    ['expired', 'getAny', false, 'key_expired'],
    ['expired', 'getPublic', true, 'key_expired'],
    ['revoked', 'getAny', false, 'key_revoked'],
    [undefined, 'getAny', false, 'anonymous'],
  ] as const)('identifies the key %s on %s (public: %s) as %s', (name, operationId, isPublic, result) => {
    expect(identify(name, operationId, isPublic)).toBe(result);
  });

  it('expires a key without a reload', () => {
    expect(identify('expired', 'getAny', false, () => 999)).toBe('expired');
    expect(identify('expired', 'getAny', false, () => 1_000)).toBe('key_expired');
  });
});
