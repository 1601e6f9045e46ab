import { ConfigError } from '@rostergate/runtime/config';
import { describe, expect, test } from 'vitest';
import { parseKeysFile } from './keys-file.ts';

const digest = (letter: string) => letter.repeat(64);
const account = { email: 'svc@example.test', password: 'canary-password', company_key: 'C-1' };
const key = { name: 'ops', owner: 'team', sha256: digest('a'), account: 'svc' };

const parse = (content: object) => parseKeysFile(JSON.stringify(content), 'keys.json');

function errorOf(text: string): ConfigError {
  try {
    parseKeysFile(text, 'keys.json');
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The file was accepted.');
}

describe('a keys file', () => {
  test('gives each key the account and company behind it', () => {
    const { accounts, keys } = parse({ accounts: { svc: { ...account, admin: true } }, keys: [key] });
    expect(accounts.get('svc')).toMatchObject({ email: 'svc@example.test', companyKey: 'C-1', isAdmin: true });
    expect(keys).toEqual([
      { name: 'ops', owner: 'team', sha256: digest('a'), account: 'svc', companyKey: 'C-1', scopes: ['admin'] },
    ]);
  });

  test('makes an account no admin unless it says so', () => {
    const { accounts, keys } = parse({ accounts: { svc: account }, keys: [key] });
    expect(accounts.get('svc')?.isAdmin).toBe(false);
    expect(keys[0]?.scopes).toEqual([]);
  });

  test('keeps digests comparable whatever the case they were written in', () => {
    const { keys } = parse({ accounts: { svc: account }, keys: [{ ...key, sha256: digest('A') }] });
    expect(keys[0]?.sha256).toBe(digest('a'));
  });

  test('reads when a key ends', () => {
    const dated = { ...key, expires_at: '2030-01-01T00:00:00Z', revoked_at: '2029-01-01T01:00:00+01:00' };
    const { keys } = parse({ accounts: { svc: account }, keys: [dated] });
    expect(keys[0]).toMatchObject({ expiresAtMs: Date.UTC(2030, 0, 1), revokedAtMs: Date.UTC(2029, 0, 1) });
  });

  test('passes over remarks', () => {
    expect(parse({ $schema: 'x', _note: 1, accounts: { svc: account }, keys: [key] }).keys).toHaveLength(1);
  });

  test('names every fault at once, with its place', () => {
    const { faults } = errorOf(`{
      "accounts": { "svc": { "email": "", "password": "p", "company_key": "C", "colour": 1 } },
      "keys": [
        { "name": "a", "owner": "o", "account": "svc", "sha256": "short" },
        { "name": "b", "owner": "o", "account": "svc", "key": "plain" }
      ]
    }`);
    expect(faults.map(({ field, place }) => `${place?.line} ${field}`)).toEqual([
      '2 accounts.svc.email',
      '2 accounts.svc.colour',
      '4 keys[0].sha256',
      '5 keys[1].sha256',
      '5 keys[1].key',
    ]);
  });

  test.each([
    [
      'an account that is not there',
      [{ ...key, account: 'svd' }],
      'keys[0].account: There is no such account in accounts. Did you mean svc?',
    ],
    ['a prototype name as account', [{ ...key, account: 'constructor' }], 'keys[0].account: '],
    ['two keys of one name', [key, { ...key, sha256: digest('b') }], 'keys[1].name: '],
    ['one key listed twice', [key, { ...key, name: 'b', sha256: digest('A') }], 'keys[1].sha256: '],
  ])('refuses %s', (_case, keys, message) => {
    expect(() => parse({ accounts: { svc: account }, keys })).toThrow(message);
  });

  test('never repeats a secret in a fault', () => {
    const { faults, message } = errorOf(
      JSON.stringify({
        accounts: { svc: { ...account, email: 5 }, other: { ...account, password: ['canary-list'] } },
        keys: [{ ...key, sha256: 'canary-key' }],
      }),
    );
    expect(faults).toHaveLength(3);
    expect(message).not.toContain('canary');
    expect(errorOf('{\n "accounts": { "svc": { "password": "canary-password" oops } }\n}').message).not.toContain(
      'canary',
    );
  });
});
