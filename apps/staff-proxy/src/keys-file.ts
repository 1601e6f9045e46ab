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

/** Every fault of a keys file, each with its JSON pointer. Never holds a value: they are secrets. */
export class KeysFileError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The keys file cannot be used:\n  ${faults.join('\n  ')}`);
    this.name = 'KeysFileError';
    this.faults = faults;
  }
}

/** The scope that writes need; an account marked `admin` gives it to its keys. */
export const adminScope = 'admin';

/** Reads `{ accounts: { <name>: … }, keys: [ … ] }`; throws `KeysFileError` with all that is wrong. */
export function parseKeysFile(text: string): KeysFile {
  const parsed = keysFileSchema.safeParse(withoutRemarks(parseJson(text)));
  if (!parsed.success) throw new KeysFileError(parsed.error.issues.flatMap(describeIssue));
  const { accounts, keys } = parsed.data;
  const faults = [
    ...keys.flatMap((key, i) =>
      Object.hasOwn(accounts, key.account)
        ? []
        : [`/keys/${i}/account: there is no account of this name; use one of ${Object.keys(accounts).join(', ')}.`],
    ),
    ...repeated(keys, 'name', 'give each key a name of its own, callers log in with it.'),
    ...repeated(keys, 'sha256', 'this key is already listed; make a key of its own for each caller.'),
  ];
  if (faults.length > 0) throw new KeysFileError(faults);
  return {
    accounts: new Map(Object.entries(accounts).map(([name, account]) => [name, createAccount(name, account)])),
    keys: Object.freeze(keys.map((key) => createStaffKey(key, accounts[key.account] as AccountEntry))),
  };
}

const text = z.string().min(1, 'must not be empty');
const moment = z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T00:00:00Z' });

const accountSchema = z.strictObject({
  email: text,
  password: text,
  company_key: text,
  admin: z.boolean().default(false),
});
type AccountEntry = z.output<typeof accountSchema>;

const keySchema = z.strictObject({
  name: text,
  owner: text,
  sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'must be the SHA-256 of the key: 64 hex digits, never the key itself'),
  account: text,
  expires_at: moment.optional(),
  revoked_at: moment.optional(),
});
type KeyEntry = z.output<typeof keySchema>;

const keysFileSchema = z.strictObject({
  accounts: z.record(text, accountSchema),
  keys: z.array(keySchema),
});

function createAccount(name: string, entry: AccountEntry): ServiceAccount {
  const { email, password, company_key, admin } = entry;
  return Object.freeze({ name, email, password, companyKey: company_key, isAdmin: admin });
}

function createStaffKey(entry: KeyEntry, account: AccountEntry): StaffKey {
  const { name, owner, sha256, expires_at, revoked_at } = entry;
  return Object.freeze({
    name,
    owner,
    sha256: sha256.toLowerCase(),
    scopes: Object.freeze(account.admin ? [adminScope] : []),
    account: entry.account,
    companyKey: account.company_key,
    ...(expires_at === undefined ? {} : { expiresAtMs: Date.parse(expires_at) }),
    ...(revoked_at === undefined ? {} : { revokedAtMs: Date.parse(revoked_at) }),
  });
}

/** The parser's own message quotes the text, passwords included: only the position is kept. */
function parseJson(source: string): unknown {
  try {
    return JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const before = source.slice(0, position === undefined ? source.length : Number(position)).split('\n');
    throw new KeysFileError([
      `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: this is not JSON here; look for a missing quote, comma or bracket.`,
    ]);
  }
}

/** `$schema` and keys that begin with `_` are remarks for people. */
function withoutRemarks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$schema' && !key.startsWith('_')));
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const place = `/${issue.path.map(String).join('/')}`;
  if (issue.code !== 'unrecognized_keys') return [`${place}: ${issue.message}.`];
  return issue.keys.map((key) =>
    key === 'key'
      ? `${place}/key: store the key's SHA-256 as sha256, never the key itself.`
      : `${place === '/' ? '' : place}/${key}: there is no such field.`,
  );
}

function repeated(keys: readonly KeyEntry[], field: 'name' | 'sha256', advice: string): string[] {
  const seen = new Set<string>();
  return keys.flatMap((key, i) => {
    const value = key[field].toLowerCase();
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [`/keys/${i}/${field}: ${advice}`];
  });
}
