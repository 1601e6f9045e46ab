import type { Context, Principal } from '@rostergate/runtime/contract';
import { type KeyRecord, keyDigest } from '@rostergate/runtime/keys';
import { runSteps } from '@rostergate/runtime/steps';
import { describe, expect, it } from 'vitest';
import { createAuthenticationSteps } from './authenticate.ts';

const record = (name: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  name,
  owner: `owner of ${name}`,
  sha256: keyDigest(`key-of-${name}`),
  scopes: ['a'],
  ...more,
});

function ask(name: string | undefined, operationId: string, isPublic: boolean, clock = () => 1_000) {
  const { authenticate } = runSteps(
    createAuthenticationSteps({
      keys: [record('global'), record('ended', { expiresAtMs: 1_000 }), record('revoked', { revokedAtMs: 1 })],
      endpointKeys: new Map([
        ['getOwn', [record('own')]],
        ['getNobody', []],
      ]),
      clock,
    }),
  );
  const rawHeaders = name === undefined ? [] : ['X-API-Key', `key-of-${name}`];
  const context = { req: { rawHeaders }, route: { operationId, isPublic } } as unknown as Context<Principal>;
  try {
    const principal = authenticate(context) as Principal | null;
    return principal === null ? 'nobody' : principal.name;
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
    ['own', 'getNobody', false, 'key_invalid'],
    ['global', 'getNobody', false, 'key_invalid'],
    ['global', 'getPublic', true, 'global'],
    ['own', 'getPublic', true, 'own'],
    ['guess', 'getPublic', true, 'key_invalid'],
    ['ended', 'getAny', false, 'key_expired'],
    ['ended', 'getPublic', true, 'key_expired'],
    ['revoked', 'getAny', false, 'key_revoked'],
    [undefined, 'getAny', false, 'nobody'],
  ] as const)('takes the key of %s on %s (public: %s) for %s', (name, operationId, isPublic, answer) => {
    expect(ask(name, operationId, isPublic)).toBe(answer);
  });

  it('lets a key end while it is in use, without a reload', () => {
    expect(ask('ended', 'getAny', false, () => 999)).toBe('ended');
    expect(ask('ended', 'getAny', false, () => 1_000)).toBe('key_expired');
  });
});
