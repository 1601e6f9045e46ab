import type { Principal } from '@rostergate/server';
import type { AccountEntry } from './accounts-file.ts';
import type { PasswordHash } from './password.ts';

export interface StoredAccount {
  readonly account: Account;
  readonly password: PasswordHash;
  /** Raised by every change that ends the account's tokens. */
  readonly revision: number;
}

export interface StoredToken {
  readonly account: Account;
  readonly expiresAtMs: number;
}

export interface NewToken {
  readonly digest: string;
  /** The account as it was when its password was checked. */
  readonly stored: Pick<StoredAccount, 'account' | 'revision'>;
  readonly expiresAtMs: number;
  readonly nowMs: number;
  /** `markOf` the address of the login. */
  readonly mark: string;
}

/** An account as the `accounts` commands show it. */
export interface AccountSummary {
  readonly email: string;
  readonly companyKey: string;
  readonly isAdmin: boolean;
  readonly isDisabled: boolean;
  /** RFC 3339, in UTC; null before the first login. */
  readonly lastLogin: string | null;
}

/** Accounts and their tokens, in the same database as the data that they protect. */
export interface AccountStore {
  /**
   * Applies the entries of an accounts file that are new or have changed since they were last applied, and revokes the
   * tokens of those accounts. Other accounts are unchanged. Missing companies are added.
   */
  applyFile(entries: readonly AccountEntry[]): Promise<void>;
  /** Adds an account, and its company when that is missing; undefined when the e-mail is taken. */
  add(entry: AccountEntry): Promise<{ readonly isNewCompany: boolean } | undefined>;
  /** Returns the accounts, sorted by company and e-mail. */
  list(companyKey?: string): Promise<readonly AccountSummary[]>;
  /** Disabling an account revokes its tokens. Undefined when there is no such account. */
  setDisabled(email: string, isDisabled: boolean): Promise<AccountSummary | undefined>;
  /** Sets the password and revokes the account's tokens. Undefined when there is no such account. */
  setPassword(email: string, password: PasswordHash): Promise<AccountSummary | undefined>;
  /** Stores another hash of the same password, unless the password has changed in the meantime. */
  replaceHash(account: Account, before: PasswordHash, after: PasswordHash): Promise<void>;
  listCompanies(): Promise<readonly string[]>;
  findByEmail(email: string): Promise<StoredAccount | undefined>;
  /**
   * Stores the token of a login by its digest, with the address of the login, and deletes expired tokens. Returns
   * false, and stores nothing, when the account was changed or disabled since it was read.
   */
  saveToken(token: NewToken): Promise<boolean>;
  findToken(digest: string): Promise<StoredToken | undefined>;
  /** Returns whether the account has logged in from the address with this mark in the last 24 hours. */
  isKnownAddress(email: string, mark: string, nowMs: number): Promise<boolean>;
}

/** The service account that makes a request. */
export interface Account extends Principal {
  readonly accountRow: number;
  readonly companyKey: string;
  readonly isAdmin: boolean;
}

/** The scope that every write requires in the contract. */
const adminScope = 'admin';

export function createAccount(stored: {
  readonly accountRow: number;
  readonly email: string;
  readonly companyKey: string;
  readonly isAdmin: boolean;
}): Account {
  return Object.freeze({
    name: stored.email,
    owner: stored.email,
    scopes: Object.freeze(stored.isAdmin ? [adminScope] : []),
    accountRow: stored.accountRow,
    companyKey: stored.companyKey,
    isAdmin: stored.isAdmin,
  });
}
