import {
  ConfigError,
  checkJsonFile,
  didYouMean,
  faultAt,
  fieldName,
  type JsonFile,
  parseJsonFile,
} from '@rostergate/runtime/config';
import { z } from 'zod';
import type { StaffKey } from './proxy-keys.ts';

/** A service account at the upstream. The password stays with the session that logs in with it. */
export interface ServiceAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly companyKey: string;
  readonly isAdmin: boolean;
}

export interface KeysFile {
  readonly accounts: ReadonlyMap<string, ServiceAccount>;
  readonly keys: readonly StaffKey[];
}

/** The scope that writes need; an account marked `admin` gives it to its keys. */
export const adminScope = 'admin';

/**
 * Reads `{ accounts: { <name>: … }, keys: [ … ] }`, where each key names the account behind it.
 * @throws ConfigError with every fault and its place, and never a secret.
 */
export function parseKeysFile(text: string, path: string): KeysFile {
  const file = parseJsonFile(text, path);
  const { accounts, keys } = checkJsonFile(keysFileSchema, file);
  const faults = [
    ...unknownAccounts(file, accounts, keys),
    ...repeated(file, keys, 'name'),
    ...repeated(file, keys, 'sha256'),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({
    accounts: new Map(Object.entries(accounts).map(([name, account]) => [name, createAccount(name, account)])),
    keys: Object.freeze(keys.map((key) => createStaffKey(key, accounts[key.account] as AccountEntry))),
  });
}

const name = z.string().min(1, 'Write at least one character.');
const moment = z.iso.datetime({ offset: true, error: 'Write a time such as 2030-01-31T00:00:00Z.' });

const accountSchema = z.strictObject({
  email: name.describe('What the proxy logs in to the upstream with.'),
  password: name.meta({ secret: true }),
  company_key: name.describe('The company that the account belongs to.'),
  admin: z.boolean().default(false).describe('Whether the account may write.'),
});
type AccountEntry = z.output<typeof accountSchema>;

const keySchema = z.strictObject({
  name: name.describe('What the holder of the key is called in logs, and logs in with.'),
  owner: name.describe('Limits count per owner, however many keys one has.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'Write the SHA-256 of the key, 64 hexadecimal digits, and never the key itself.')
    .meta({ secret: true }),
  account: name.describe('Name of the service account that the key stands for.'),
  expires_at: moment.optional(),
  revoked_at: moment.optional(),
});
type KeyEntry = z.output<typeof keySchema>;

const keysFileSchema = z.strictObject({
  accounts: z.record(name, accountSchema),
  keys: z.array(keySchema),
});

function createAccount(accountName: string, entry: AccountEntry): ServiceAccount {
  const { email, password, company_key, admin } = entry;
  return Object.freeze({ name: accountName, email, password, companyKey: company_key, isAdmin: admin });
}

function createStaffKey(entry: KeyEntry, account: AccountEntry): StaffKey {
  const { expires_at, revoked_at } = entry;
  return Object.freeze({
    name: entry.name,
    owner: entry.owner,
    sha256: entry.sha256.toLowerCase(),
    scopes: Object.freeze(account.admin ? [adminScope] : []),
    account: entry.account,
    companyKey: account.company_key,
    ...(expires_at === undefined ? {} : { expiresAtMs: Date.parse(expires_at) }),
    ...(revoked_at === undefined ? {} : { revokedAtMs: Date.parse(revoked_at) }),
  });
}

function unknownAccounts(file: JsonFile, accounts: object, keys: readonly KeyEntry[]) {
  return keys.flatMap((key, i) => {
    if (Object.hasOwn(accounts, key.account)) return [];
    const guess = didYouMean(key.account, Object.keys(accounts));
    return [faultOf(file, i, 'account', `There is no such account in accounts.${guess}`)];
  });
}

function repeated(file: JsonFile, keys: readonly KeyEntry[], field: 'name' | 'sha256') {
  const seen = new Set<string>();
  return keys.flatMap((key, i) => {
    const isNew = seen.size < seen.add(key[field].toLowerCase()).size;
    return isNew ? [] : [faultOf(file, i, field, 'Another key has it already; give each its own.')];
  });
}

function faultOf(file: JsonFile, index: number, field: keyof KeyEntry, detail: string) {
  const path = ['keys', index, field];
  return faultAt(file.locate(path), fieldName(path), detail);
}
