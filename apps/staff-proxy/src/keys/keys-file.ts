import {
  ConfigError,
  type ConfigFault,
  checkJsonFile,
  didYouMean,
  faultAt,
  fieldName,
  type JsonFile,
  type JsonPath,
  parseJsonFile,
} from '@rostergate/runtime/config';
import { repeatedKeys, toKeyRecord } from '@rostergate/runtime/keys';
import type { Settings } from '../settings.ts';
import { type PasswordPlaces, passwordFields, readPassword } from './account-password.ts';
import { checkKeyOperations, forbiddenOperations } from './key-operations.ts';
import { type AccountEntry, type KeyEntry, keysFileSchema } from './keys-file-schema.ts';
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
  /** Names in the environment that hold passwords. */
  readonly passwordVariables: readonly string[];
}

/** What the settings have to do with keys. */
export interface KeyRules {
  /** Of the contract's form, each account serves one company; at the vendor one may serve several. */
  readonly upstreamForm: Settings['upstream_form'];
}

/** The scope that writes need; an account marked `admin` gives it to its keys. */
export const adminScope = 'admin';

/**
 * Reads `{ accounts: { <name>: … }, keys: [ … ] }`, where each key names the account behind it, and the passwords of the
 * accounts from where it says they are.
 * @throws ConfigError with every fault and its place, and never a secret.
 */
export async function readKeysFile(text: string, path: string, places: PasswordPlaces & KeyRules): Promise<KeysFile> {
  const { file, accounts, keys } = parseKeysFile(text, path, places);
  const faults: ConfigFault[] = [];
  const read = await Promise.all(
    Object.entries(accounts).map(async ([name, entry]) => {
      const reading = await readPassword(entry, places);
      if ('password' in reading) return [[name, createAccount(name, entry, reading.password)] as const];
      faults.push(faultIn(file, ['accounts', name, reading.field], reading.fault));
      return [];
    }),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({
    accounts: new Map(read.flat()),
    passwordVariables: Object.values(accounts).flatMap(({ password_env }) => password_env ?? []),
    keys: Object.freeze(keys.map((key) => createStaffKey(key, accounts[key.account] as AccountEntry))),
  });
}

/**
 * Checks a keys file as far as it goes by itself: a password that stands elsewhere need not be there.
 * @throws ConfigError as `readKeysFile` does.
 */
export function checkKeysFile(text: string, path: string, rules: KeyRules): void {
  parseKeysFile(text, path, rules);
}

interface ParsedKeysFile {
  readonly file: JsonFile;
  readonly accounts: Readonly<Record<string, AccountEntry>>;
  readonly keys: readonly KeyEntry[];
}

function parseKeysFile(text: string, path: string, rules: KeyRules): ParsedKeysFile {
  const file = parseJsonFile(text, path);
  const { accounts, keys } = checkJsonFile(keysFileSchema, file);
  const faults = [
    ...Object.entries(accounts).flatMap(([name, account]) => passwordFaults(file, name, account)),
    ...keys.flatMap((key, i) => [
      ...accountFaults(file, i, key, accounts),
      ...companyFaults(file, i, key, accounts, rules),
      ...operationFaults(file, i, key),
    ]),
    ...repeatedKeys(file, keys),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
  return { file, accounts, keys };
}

function createAccount(name: string, entry: AccountEntry, password: string): ServiceAccount {
  const { email, company_key, admin } = entry;
  return Object.freeze({ name, email, password, companyKey: company_key, isAdmin: admin });
}

function createStaffKey(entry: KeyEntry, account: AccountEntry): StaffKey {
  const forbidden = forbiddenOperations(entry);
  return Object.freeze({
    ...toKeyRecord({ ...entry, scopes: account.admin ? [adminScope] : [] }),
    account: entry.account,
    companyKey: entry.company_key ?? account.company_key,
    ...(forbidden === undefined ? {} : { forbidden }),
  });
}

function passwordFaults(file: JsonFile, name: string, account: AccountEntry): ConfigFault[] {
  const [first, ...others] = passwordFields.filter((field) => account[field] !== undefined);
  if (first === undefined) {
    const detail = 'It needs a password: give one of password, password_env and password_file.';
    return [faultIn(file, ['accounts', name], detail)];
  }
  return others.map((field) =>
    faultIn(file, ['accounts', name, field], `It has ${first} already: keep one of the two.`),
  );
}

function accountFaults(file: JsonFile, i: number, { account }: KeyEntry, accounts: object): ConfigFault[] {
  if (Object.hasOwn(accounts, account)) return [];
  const names = Object.keys(accounts);
  const guess = didYouMean(account, names) || (names.length > 0 ? ` There are: ${names.join(', ')}.` : '');
  return [faultIn(file, ['keys', i, 'account'], `There is no such account in accounts.${guess}`)];
}

/** Where a path alone says who is meant, what stands between two companies is the account. */
function companyFaults(
  file: JsonFile,
  i: number,
  { account, company_key }: KeyEntry,
  accounts: ParsedKeysFile['accounts'],
  { upstreamForm }: KeyRules,
): ConfigFault[] {
  const own = Object.hasOwn(accounts, account) ? accounts[account]?.company_key : undefined;
  if (upstreamForm === 'vendor' || company_key === undefined || own === undefined || company_key === own) return [];
  const detail =
    'Its account is of another company, and serves no second one unless upstream_form is vendor: leave it out, or name an account of that company.';
  return [faultIn(file, ['keys', i, 'company_key'], detail)];
}

function operationFaults(file: JsonFile, i: number, key: KeyEntry): ConfigFault[] {
  return checkKeyOperations(key).map(({ path, detail }) => faultIn(file, ['keys', i, ...path], detail));
}

function faultIn(file: JsonFile, path: JsonPath, detail: string): ConfigFault {
  return faultAt(file.locate(path), fieldName(path), detail);
}
