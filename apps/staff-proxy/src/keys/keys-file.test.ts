import { ConfigError } from '@rostergate/config';
import { describe, expect, test } from 'vitest';
import { checkKeysFile, type KeyRules, readKeysFile } from './keys-file.ts';

const digest = (letter: string) => letter.repeat(64);
const account = { email: 'svc@example.test', password: 'canary-password', company_key: 'C-1' };
const key = { name: 'ops', owner: 'team', sha256: digest('a'), account: 'svc' };

const places = {
  env: { STAFF_PASSWORD: 'canary-from-env', EMPTY: '' },
  readText: async (path: string) => files[path],
};
const files: Readonly<Record<string, string>> = {
  'secrets/staff': 'canary from file \n',
  crlf: 'canary-crlf\r\n',
  empty: '\n',
  'two-lines': 'canary\nmore\n',
};
const contract: KeyRules = { upstreamForm: 'contract', plans: undefined };
const read = (content: object, more: Partial<KeyRules> = {}) =>
  readKeysFile(JSON.stringify(content), 'keys.json', { ...places, ...contract, ...more });
const readKey = async (more: object) =>
  (await read({ accounts: { svc: account }, keys: [{ ...key, ...more }] })).keys[0];

async function errorOf(content: object | string, more: Partial<KeyRules> = {}): Promise<ConfigError> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const rules = { ...places, ...contract, ...more };
  const error = await readKeysFile(text, 'keys.json', rules).catch((error: unknown) => error);
  if (error instanceof ConfigError) return error;
  throw new Error('The file was accepted.', { cause: error });
}

describe('a keys file', () => {
  test('gives each key its account and company', async () => {
    const { accounts, keys } = await read({ accounts: { svc: { ...account, admin: true } }, keys: [key] });
    expect(accounts.get('svc')).toMatchObject({ email: 'svc@example.test', companyKey: 'C-1', isAdmin: true });
    expect(keys).toEqual([
      { name: 'ops', owner: 'team', sha256: digest('a'), account: 'svc', companyKey: 'C-1', scopes: ['admin'] },
    ]);
  });

  test('makes an account an admin only if it says so', async () => {
    const { accounts, keys } = await read({ accounts: { svc: account }, keys: [key] });
    expect(accounts.get('svc')?.isAdmin).toBe(false);
    expect(keys[0]?.scopes).toEqual([]);
  });

  test('allows a key another company than its account’s where an account serves several', async () => {
    const text = JSON.stringify({ accounts: { svc: account }, keys: [{ ...key, company_key: 'C-2' }] });
    const { keys } = await readKeysFile(text, 'keys.json', { ...places, upstreamForm: 'vendor', plans: undefined });
    expect(keys[0]).toMatchObject({ account: 'svc', companyKey: 'C-2' });
  });

  test('rejects another company than the account’s where an account serves one', async () => {
    const { message } = await errorOf({ accounts: { svc: account }, keys: [{ ...key, company_key: 'C-2' }] });
    expect(message).toContain('keys[0].company_key: The account belongs to another company');
    expect(await readKey({ company_key: 'C-1' })).toMatchObject({ companyKey: 'C-1' });
  });

  test('gives callers with a token the rights of their account', async () => {
    const tokens = [{ issuer: 'corp', claim: 'groups', value: 'staff', account: 'svc', read_only: true }];
    const { tokens: rules } = await read({ accounts: { svc: { ...account, admin: true } }, tokens });
    expect(rules).toMatchObject([
      {
        issuer: 'corp',
        claim: 'groups',
        value: 'staff',
        rights: { account: 'svc', companyKey: 'C-1', scopes: ['admin'] },
      },
    ]);
    expect(rules[0]?.rights.forbidden?.has('createStaffMember')).toBe(true);
  });

  test('reports an unknown account or issuer of tokens, and another company', async () => {
    const entry = { issuer: 'crop', value: 'a', account: 'scv', company_key: 'C-2' };
    const text = JSON.stringify({
      accounts: { svc: account },
      tokens: [entry, { ...entry, issuer: 'corp', account: 'svc' }],
    });
    const how = { ...places, ...contract, issuers: ['corp'] };
    const error: unknown = await readKeysFile(text, 'keys.json', how).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).faults.map(({ field, detail }) => [field, detail])).toEqual([
      ['tokens[0].account', expect.stringContaining('Did you mean svc?')],
      ['tokens[0].issuer', expect.stringContaining('Did you mean corp?')],
      ['tokens[1].company_key', expect.stringContaining('The account belongs to another company')],
    ]);
  });

  test('may have no keys', async () => {
    expect((await read({ accounts: { svc: account } })).keys).toEqual([]);
  });

  test('accepts digests in either case', async () => {
    expect((await readKey({ sha256: digest('A') }))?.sha256).toBe(digest('a'));
  });

  test('reads the expiry of a key, and its absence', async () => {
    const dated = await readKey({ expires_at: '2030-01-01T00:00:00Z', revoked_at: '2029-01-01T01:00:00+01:00' });
    expect(dated).toMatchObject({ expiresAtMs: Date.UTC(2030, 0, 1), revokedAtMs: Date.UTC(2029, 0, 1) });
    const endless = await readKey({ created_at: '2026-01-01T00:00:00Z', expires_at: null, revoked_at: null });
    expect([endless?.expiresAtMs, endless?.revokedAtMs]).toEqual([undefined, undefined]);
  });

  test('ignores notes', async () => {
    expect((await read({ $schema: 'x', _note: 1, accounts: { svc: account }, keys: [key] })).keys).toHaveLength(1);
  });

  test('reports all faults at once, with their places', async () => {
    const { faults } = await errorOf(`{
      "accounts": { "svc": { "email": "", "password": "p", "company_key": "C", "colour": 1 } },
      "keys": [
        { "name": "a", "owner": "o", "account": "svc", "sha256": "short" },
        { "name": "b", "owner": "o", "account": "svc", "key": "plain" },
        { "name": "c d", "owner": "o", "account": "svc", "sha256": "${digest('c')}", "companyKey": "C" }
      ]
    }`);
    expect(faults.map(({ field, place }) => `${place?.line} ${field}`)).toEqual([
      '2 accounts.svc.email',
      '2 accounts.svc.colour',
      '4 keys[0].sha256',
      '5 keys[1].sha256',
      '5 keys[1].key',
      '6 keys[2].name',
      '6 keys[2].companyKey',
    ]);
    expect(faults.at(-1)?.detail).toContain('Did you mean company_key?');
  });

  test.each([
    [
      'an account that is not there',
      [{ ...key, account: 'svd' }],
      'keys[0].account: There is no such account in accounts. There are: svc.',
    ],
    [
      'an account that is like none',
      [{ ...key, account: 'elsewhere' }],
      'keys[0].account: There is no such account in accounts. There are: svc.',
    ],
    ['a prototype name as account', [{ ...key, account: 'constructor' }], 'keys[0].account: '],
    ['two keys of one name', [key, { ...key, sha256: digest('b') }], 'keys[1].name: '],
    ['one key listed twice', [key, { ...key, name: 'b', sha256: digest('A') }], 'keys[1].sha256: '],
  ])('rejects %s', async (_case, keys, message) => {
    expect((await errorOf({ accounts: { svc: account }, keys })).message).toContain(message);
  });

  test('repeats no secret in a fault', async () => {
    const { faults, message } = await errorOf({
      accounts: {
        svc: { ...account, email: 5 },
        other: { ...account, password: ['canary-list'] },
        third: { email: 'a', company_key: 'C', password_env: 'canary-password-in-the-wrong-place' },
        fourth: { email: 'a', company_key: 'C', password_file: 5, password: 'canary' },
      },
      keys: [{ ...key, sha256: 'canary-key' }],
    });
    expect(faults).toHaveLength(5);
    expect(message).not.toContain('canary');
    const broken = await errorOf('{\n "accounts": { "svc": { "password": "canary-password" oops } }\n}');
    expect(broken.message).not.toContain('canary');
  });
});

describe('the password of an account', () => {
  const { password: _, ...bare } = account;
  const passwordOf = async (fields: object) =>
    (await read({ accounts: { svc: { ...bare, ...fields } } })).accounts.get('svc')?.password;

  test.each([
    ['is in the keys file', { password: ' canary ' }, ' canary '],
    ['comes from the environment', { password_env: 'STAFF_PASSWORD' }, 'canary-from-env'],
    [
      'comes from a file of its own, without its last line break',
      { password_file: 'secrets/staff' },
      'canary from file ',
    ],
    ['comes from a file with the line ends of another system', { password_file: 'crlf' }, 'canary-crlf'],
  ])('%s', async (_case, fields, password) => {
    expect(await passwordOf(fields)).toBe(password);
  });

  test.each([
    ['is needed', {}, 'accounts.svc: A password is missing: give one of'],
    [
      'has one source',
      { password: 'p', password_env: 'STAFF_PASSWORD' },
      'svc.password_env: The account also has password',
    ],
    ['is a variable that is set', { password_env: 'OTHER' }, 'svc.password_env: The environment variable is not set'],
    [
      'is a variable that is not empty',
      { password_env: 'EMPTY' },
      'svc.password_env: The environment variable is not set or empty',
    ],
    ['is a file that exists', { password_file: 'gone' }, 'svc.password_file: There is no such file'],
    ['is a file that is not empty', { password_file: 'empty' }, 'svc.password_file: The file is empty'],
    ['is a file of one line', { password_file: 'two-lines' }, 'svc.password_file: The file has several lines'],
  ])('%s', async (_case, fields, message) => {
    const error = await errorOf({ accounts: { svc: { ...bare, ...fields } } });
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('canary');
  });

  test('is not looked up by a check of the file alone', () => {
    const text = JSON.stringify({ accounts: { svc: { ...bare, password_env: 'OTHER' } }, keys: [key] });
    expect(() => checkKeysFile(text, 'keys.json', contract)).not.toThrow();
    expect(() => checkKeysFile('{ "accounts": { "svc": {} } }', 'keys.json', contract)).toThrow(ConfigError);
  });
});

describe('the operations of a key', () => {
  test('are all by default', async () => {
    expect((await readKey({}))?.forbidden).toBeUndefined();
    expect((await readKey({ read_only: false }))?.forbidden).toBeUndefined();
  });

  test('are the reads with read_only', async () => {
    const forbidden = (await readKey({ read_only: true }))?.forbidden;
    expect(forbidden?.size).toBe(11);
    expect(['updateStaffMember', 'deletePayModifier'].every((id) => forbidden?.has(id))).toBe(true);
    expect(['listStaffMembers', 'listBadgeIds'].some((id) => forbidden?.has(id))).toBe(false);
  });

  test('are only those that it allows', async () => {
    const forbidden = (await readKey({ operations: { allow: ['getStaffMember', 'addStaffTag'] } }))?.forbidden;
    expect(forbidden?.size).toBe(16);
    expect(['getStaffMember', 'addStaffTag'].some((id) => forbidden?.has(id))).toBe(false);
  });

  test('exclude those that it denies', async () => {
    expect([...((await readKey({ operations: { deny: ['listBadgeIds'] } }))?.forbidden ?? [])]).toEqual([
      'listBadgeIds',
    ]);
  });

  test('are limited by read_only and a list together', async () => {
    const forbidden = (await readKey({ read_only: true, operations: { deny: ['listBadgeIds'] } }))?.forbidden;
    expect(forbidden?.size).toBe(12);
  });

  test.each([
    [
      'a name that no operation has',
      { operations: { allow: ['listStafMembers'] } },
      'allow[0]: There is no operation of that name. Did you mean listStaffMembers?',
    ],
    [
      'an operation without keys',
      { operations: { deny: ['getHealth'] } },
      'deny[0]: There is no operation of that name.',
    ],
    [
      'both lists',
      { operations: { allow: ['getStaffMember'], deny: ['addStaffTag'] } },
      'operations: Give either allow or deny',
    ],
    ['neither list', { operations: {} }, 'operations: Give either allow or deny'],
    ['an empty list, which would allow nothing', { operations: { allow: [] } }, 'operations.allow: Name at least one'],
    [
      'a write for a read-only key',
      { read_only: true, operations: { allow: ['addStaffTag'] } },
      'allow[0]: This operation writes, but',
    ],
    ['a list in place of its name', { operations: ['getStaffMember'] }, 'keys[0].operations: '],
  ])('are rejected with %s', async (_case, more, message) => {
    expect((await errorOf({ accounts: { svc: account }, keys: [{ ...key, ...more }] })).message).toContain(message);
  });
});

describe('unknown members', () => {
  const keep = { ...key, unknown_members: 'keep' };
  const admin = { ...account, admin: true };

  test('are kept for a key of an administrator where the upstream has the vendor’s form', async () => {
    const { keys } = await read({ accounts: { svc: admin }, keys: [keep] }, { upstreamForm: 'vendor' });
    expect(keys[0]).toMatchObject({ keepsUnknownMembers: true });
  });

  test('are dropped by default', async () => {
    const { keys } = await read({ accounts: { svc: admin }, keys: [key] }, { upstreamForm: 'vendor' });
    expect(keys[0]).not.toHaveProperty('keepsUnknownMembers');
  });

  test.each([
    ['the form of the contract', { svc: admin }, 'contract', 'only if upstream_form is vendor'],
    ['an account whose keys must not see all', { svc: account }, 'vendor', 'may contain what this key must not see'],
  ] as const)('are rejected with %s', async (_case, accounts, upstreamForm, message) => {
    const { message: found } = await errorOf({ accounts, keys: [keep] }, { upstreamForm });
    expect(found).toContain('keys[0].unknown_members');
    expect(found).toContain(message);
  });
});
