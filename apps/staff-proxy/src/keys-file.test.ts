import { describe, expect, test } from 'vitest';
import { KeysFileError, parseKeysFile } from './keys-file.ts';

const digest = (letter: string) => letter.repeat(64);
const account = { email: 'svc@example.test', password: 'canary-password', company_key: 'C-1' };
const key = { name: 'ops', owner: 'team', sha256: digest('a'), account: 'svc' };
const file = (content: object) => JSON.stringify(content);

function faultsOf(text: string): readonly string[] {
  try {
    parseKeysFile(text);
  } catch (error) {
    if (error instanceof KeysFileError) return error.faults;
    throw error;
  }
  return [];
}

describe('a keys file', () => {
  test('gives each key the account and company behind it', () => {
    const { accounts, keys } = parseKeysFile(file({ accounts: { svc: { ...account, admin: true } }, keys: [key] }));
    expect(accounts.get('svc')).toMatchObject({ email: 'svc@example.test', companyKey: 'C-1', isAdmin: true });
    expect(keys).toEqual([
      { name: 'ops', owner: 'team', sha256: digest('a'), account: 'svc', companyKey: 'C-1', scopes: ['admin'] },
    ]);
  });

  test('makes an account no admin unless it says so', () => {
    const { accounts, keys } = parseKeysFile(file({ accounts: { svc: account }, keys: [key] }));
    expect(accounts.get('svc')?.isAdmin).toBe(false);
    expect(keys[0]?.scopes).toEqual([]);
  });

  test('keeps digests comparable whatever the case they were written in', () => {
    const { keys } = parseKeysFile(file({ accounts: { svc: account }, keys: [{ ...key, sha256: digest('A') }] }));
    expect(keys[0]?.sha256).toBe(digest('a'));
  });

  test('reads when a key ends', () => {
    const dated = { ...key, expires_at: '2030-01-01T00:00:00Z', revoked_at: '2029-01-01T01:00:00+01:00' };
    const { keys } = parseKeysFile(file({ accounts: { svc: account }, keys: [dated] }));
    expect(keys[0]).toMatchObject({ expiresAtMs: Date.UTC(2030, 0, 1), revokedAtMs: Date.UTC(2029, 0, 1) });
  });

  test('passes over remarks and a byte order mark', () => {
    const text = `\uFEFF${file({ $schema: 'x', _note: 1, accounts: { svc: account }, keys: [key] })}`;
    expect(parseKeysFile(text).keys).toHaveLength(1);
  });

  test('names every fault at once, with its place', () => {
    const faults = faultsOf(
      file({
        accounts: { svc: { ...account, email: '', colour: 1 } },
        keys: [
          { ...key, sha256: 'short' },
          { name: 'x', owner: 'y', account: 'svc', key: 'plain' },
        ],
      }),
    );
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual([
      '/accounts/svc/colour',
      '/accounts/svc/email',
      '/keys/0/sha256',
      '/keys/1/key',
      '/keys/1/sha256',
    ]);
  });

  test.each([
    ['an account that is not there', [{ ...key, account: 'gone' }], '/keys/0/account'],
    ['a prototype name as account', [{ ...key, account: 'constructor' }], '/keys/0/account'],
    ['two keys of one name', [key, { ...key, sha256: digest('b') }], '/keys/1/name'],
    ['one key listed twice', [key, { ...key, name: 'b', sha256: digest('A') }], '/keys/1/sha256'],
  ])('refuses %s', (_case, keys, place) => {
    expect(faultsOf(file({ accounts: { svc: account }, keys }))).toEqual([expect.stringContaining(`${place}: `)]);
  });

  test('says where broken JSON breaks without repeating any of it', () => {
    const text = '{\n  "accounts": { "svc": { "password": "canary-password" oops } }\n}';
    const [fault] = faultsOf(text);
    expect(fault).toMatch(/^line 2, column \d+: /);
    expect(fault).not.toContain('canary');
  });

  test('never repeats a value in a fault', () => {
    const faults = faultsOf(
      file({
        accounts: { svc: { ...account, company_key: 5, admin: 'canary-password' } },
        keys: [{ ...key, sha256: 'canary-key' }],
      }),
    );
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('canary');
  });
});
