import { planFaults, repeatedKeys, toKeyRecord, withOwnerPlans } from '@rostergate/access/keys';
import {
  ConfigError,
  type ConfigFault,
  checkJsonFile,
  type Environment,
  faultAt,
  fieldName,
  type JsonFile,
  type JsonPath,
  parseJsonFile,
} from '@rostergate/config';
import { didYouMean } from '@rostergate/server/problem';
import { permittedOperations } from '../pass-through/pass-through-operations.ts';
import type { Settings } from '../settings.ts';
import { checkKeyOperations, forbiddenOperations } from './key-operations.ts';
import {
  type AccountEntry,
  type KeyEntry,
  type KeyGrants,
  keysFileSchema,
  type TokenEntry,
} from './keys-file-schema.ts';
import { adminScope, type StaffKey } from './proxy-keys.ts';
import type { TokenRule } from './token-callers.ts';

/** A service account at the upstream. Only its session uses the password. */
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
  readonly tokens: readonly TokenRule[];
  /** Environment variables with passwords. */
  readonly passwordVariables: readonly string[];
}

/** The settings that the rules for keys depend on. */
export interface KeyRules {
  /** With the form `contract` an account serves one company; at the vendor it may serve several. */
  readonly upstreamForm: Settings['upstream_form'];
  /** The names of plans that keys can have; any when absent, because the settings are invalid. */
  readonly plans: readonly string[] | undefined;
  /** Names of the issuers of tokens; without it, any name is accepted. */
  readonly issuers?: readonly string[] | undefined;
  /** Names of the entries of `pass_through`; without it, any name is accepted. */
  readonly passThrough?: readonly string[] | undefined;
}

/** The sources of passwords outside the keys file. */
export interface PasswordSources {
  readonly env: Environment;
  /** Returns the text of a file by its path in the keys file; undefined when it cannot be read. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/**
 * Reads `{ accounts: { <name>: … }, keys: [ … ] }`, where each key names its account, and the accounts' passwords from
 * their sources.
 * @throws ConfigError with every fault and its place, and no secret.
 */
export async function readKeysFile(text: string, path: string, sources: PasswordSources & KeyRules): Promise<KeysFile> {
  const { file, accounts, keys, tokens } = parseKeysFile(text, path, sources);
  const faults: ConfigFault[] = [];
  const read = await Promise.all(
    Object.entries(accounts).map(async ([name, entry]) => {
      const reading = await readPassword(entry, sources);
      if ('password' in reading) return [[name, createAccount(name, entry, reading.password)] as const];
      faults.push(faultIn(file, ['accounts', name, reading.field], reading.fault));
      return [];
    }),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  const byName = new Map(read.flat());
  const accountOf = ({ account }: KeyGrants) => byName.get(account) as ServiceAccount;
  return Object.freeze({
    accounts: byName,
    passwordVariables: Object.values(accounts).flatMap(({ password_env }) => password_env ?? []),
    keys: Object.freeze(keys.map((key) => createStaffKey(key, accountOf(key)))),
    tokens: Object.freeze(tokens.map((token) => createTokenRule(token, accountOf(token)))),
  });
}

/**
 * Checks a keys file alone, without the sources of passwords.
 * @throws ConfigError as `readKeysFile` does.
 */
export function checkKeysFile(text: string, path: string, rules: KeyRules): void {
  parseKeysFile(text, path, rules);
}

interface ParsedKeysFile {
  readonly file: JsonFile;
  readonly accounts: Readonly<Record<string, AccountEntry>>;
  readonly keys: readonly KeyEntry[];
  readonly tokens: readonly TokenEntry[];
}

function parseKeysFile(text: string, path: string, rules: KeyRules): ParsedKeysFile {
  const file = parseJsonFile(text, path);
  const { accounts, keys, tokens } = checkJsonFile(keysFileSchema, file);
  const faults = [
    ...Object.entries(accounts).flatMap(([name, account]) => passwordFaults(file, name, account)),
    ...keys.flatMap((key, i) => entryFaults(file, ['keys', i], key, accounts, rules)),
    ...tokens.flatMap((token, i) => [
      ...entryFaults(file, ['tokens', i], token, accounts, rules),
      ...referenceFaults(file, ['tokens', i], token, rules),
    ]),
    ...repeatedKeys(file, keys),
    ...planFaults(file, keys, rules.plans),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
  return { file, accounts, keys: withOwnerPlans(keys), tokens };
}

function createAccount(name: string, entry: AccountEntry, password: string): ServiceAccount {
  const { email, company_key, admin } = entry;
  return Object.freeze({ name, email, password, companyKey: company_key, isAdmin: admin });
}

function createStaffKey(entry: KeyEntry, account: ServiceAccount): StaffKey {
  const rights = rightsOf(entry, account);
  return Object.freeze({ ...toKeyRecord({ ...entry, scopes: rights.scopes }), ...rights });
}

function createTokenRule(entry: TokenEntry, account: ServiceAccount): TokenRule {
  const { issuer, claim, value, plan } = entry;
  const rights = { ...rightsOf(entry, account), ...(plan === undefined ? {} : { plan }) };
  return Object.freeze({ issuer, claim, value, rights });
}

/** Returns what a key or token of an account may do. */
export function rightsOf(entry: KeyGrants, { isAdmin, companyKey }: ServiceAccount): Omit<TokenRule['rights'], 'plan'> {
  const forbidden = forbiddenOperations(entry);
  return {
    scopes: isAdmin ? [adminScope] : [],
    account: entry.account,
    companyKey: entry.company_key ?? companyKey,
    ...(forbidden === undefined ? {} : { forbidden }),
    ...(entry.pass_through === undefined ? {} : { granted: permittedOperations(entry.pass_through, entry.read_only) }),
    // Nothing of such a member can be hidden from a key without the scope.
    ...(entry.unknown_members === 'keep' && isAdmin ? { keepsUnknownMembers: true } : {}),
  };
}

const passwordFields = ['password', 'password_env', 'password_file'] as const;
type PasswordField = (typeof passwordFields)[number];

/** The password of an account, or the fault of the field that names its source. */
type PasswordReading = { readonly password: string } | { readonly field: PasswordField; readonly fault: string };

/** Reads the password of an account from the source that its entry names. */
async function readPassword(entry: AccountEntry, { env, readText }: PasswordSources): Promise<PasswordReading> {
  if (entry.password !== undefined) return { password: entry.password };
  if (entry.password_env !== undefined) {
    const field = 'password_env';
    const password = env[entry.password_env];
    // The name is not repeated: it may be a password in the wrong field.
    return password ? { password } : { field, fault: 'The environment variable is not set or empty: export it first.' };
  }
  const field = 'password_file';
  const text = await readText(entry.password_file ?? '');
  if (text === undefined)
    return {
      field,
      fault: 'There is no such file, or it cannot be read. A relative path starts at the folder of the keys file.',
    };
  // Editors and `echo` end a file with a line break.
  const password = text.replace(/\r?\n$/, '');
  if (password === '') return { field, fault: 'The file is empty: write the password into it.' };
  return /[\r\n]/.test(password)
    ? { field, fault: 'The file has several lines: write only the password.' }
    : { password };
}

function passwordFaults(file: JsonFile, name: string, account: AccountEntry): ConfigFault[] {
  const [first, ...others] = passwordFields.filter((field) => account[field] !== undefined);
  if (first === undefined) {
    const detail = 'A password is missing: give one of password, password_env and password_file.';
    return [faultIn(file, ['accounts', name], detail)];
  }
  return others.map((field) =>
    faultIn(file, ['accounts', name, field], `The account also has ${first}: remove one of the two.`),
  );
}

/** The place of an entry in the file. */
type EntryPath = readonly ['keys' | 'tokens', number];

function entryFaults(
  file: JsonFile,
  at: EntryPath,
  entry: KeyEntry | TokenEntry,
  accounts: ParsedKeysFile['accounts'],
  rules: KeyRules,
): ConfigFault[] {
  return [
    ...accountFaults(file, at, entry, accounts),
    ...companyFaults(file, at, entry, accounts, rules),
    ...operationFaults(file, at, entry),
    ...passThroughFaults(file, at, entry, rules),
    ...unknownMemberFaults(file, at, entry, accounts, rules),
  ];
}

/** Returns the faults of names that the settings do not contain. */
function referenceFaults(file: JsonFile, at: EntryPath, token: TokenEntry, rules: KeyRules): ConfigFault[] {
  const references = [
    { field: 'issuer', name: token.issuer, known: rules.issuers, where: 'jwt_issuers' },
    { field: 'plan', name: token.plan, known: rules.plans, where: 'plans' },
  ];
  return references.flatMap(({ field, name, known, where }) => {
    if (name === undefined || known === undefined || known.includes(name)) return [];
    const detail = `There is no such name in ${where} of the settings.${didYouMean(name, known)}`;
    return [faultIn(file, [...at, field], detail)];
  });
}

function accountFaults(
  file: JsonFile,
  at: EntryPath,
  { account }: Pick<KeyEntry, 'account'>,
  accounts: object,
): ConfigFault[] {
  if (Object.hasOwn(accounts, account)) return [];
  const names = Object.keys(accounts);
  const guess = didYouMean(account, names) || (names.length > 0 ? ` There are: ${names.join(', ')}.` : '');
  return [faultIn(file, [...at, 'account'], `There is no such account in accounts.${guess}`)];
}

/** Where requests name no company, the account alone separates two companies. */
function companyFaults(
  file: JsonFile,
  at: EntryPath,
  { account, company_key }: Pick<KeyEntry, 'account' | 'company_key'>,
  accounts: ParsedKeysFile['accounts'],
  { upstreamForm }: KeyRules,
): ConfigFault[] {
  const own = Object.hasOwn(accounts, account) ? accounts[account]?.company_key : undefined;
  if (upstreamForm === 'vendor' || company_key === undefined || own === undefined || company_key === own) return [];
  const detail =
    'The account belongs to another company, and serves only one unless upstream_form is vendor: remove company_key, or name an account of that company.';
  return [faultIn(file, [...at, 'company_key'], detail)];
}

function operationFaults(file: JsonFile, at: EntryPath, entry: KeyEntry | TokenEntry): ConfigFault[] {
  return checkKeyOperations(entry).map(({ path, detail }) => faultIn(file, [...at, ...path], detail));
}

function passThroughFaults(
  file: JsonFile,
  at: EntryPath,
  { pass_through: names = [] }: Pick<KeyEntry, 'pass_through'>,
  { passThrough: known }: KeyRules,
): ConfigFault[] {
  return names.flatMap((name, i) => {
    if (known === undefined || known.includes(name)) return [];
    const detail = `There is no such name in pass_through of the settings.${didYouMean(name, known)}`;
    return [faultIn(file, [...at, 'pass_through', i], detail)];
  });
}

function unknownMemberFaults(
  file: JsonFile,
  at: EntryPath,
  { account, unknown_members }: Pick<KeyEntry, 'account' | 'unknown_members'>,
  accounts: ParsedKeysFile['accounts'],
  { upstreamForm }: KeyRules,
): ConfigFault[] {
  if (unknown_members === 'drop') return [];
  const path = [...at, 'unknown_members'];
  if (upstreamForm === 'contract') {
    return [faultIn(file, path, 'Responses are converted only if upstream_form is vendor: remove it.')];
  }
  if (!Object.hasOwn(accounts, account) || accounts[account]?.admin === true) return [];
  const detail =
    'Members that the contract lacks may contain what this key must not see: remove it, or name an account with admin: true.';
  return [faultIn(file, path, detail)];
}

function faultIn(file: JsonFile, path: JsonPath, detail: string): ConfigFault {
  return faultAt(file.locate(path), fieldName(path), detail);
}
