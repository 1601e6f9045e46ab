import type { Principal } from '@rostergate/runtime/contract';
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

/** A token that a login asks to store. */
export interface NewToken {
  readonly digest: string;
  /** The account as it was when its password was checked. */
  readonly stored: Pick<StoredAccount, 'account' | 'revision'>;
  readonly expiresAtMs: number;
  readonly nowMs: number;
  /** The address of the login, by `markOf`. */
  readonly mark: string;
}

/** An account as an operator sees it. */
export interface AccountSummary {
  readonly email: string;
  readonly companyKey: string;
  readonly isAdmin: boolean;
  readonly isDisabled: boolean;
  /** RFC 3339, in UTC; null before the first login. */
  readonly lastLogin: string | null;
}

/** Accounts and the tokens given to them, in the same database as what they guard. */
export interface AccountStore {
  /**
   * Applies the entries of an accounts file that are new or have changed since they were last applied, which ends the
   * tokens of their accounts. Other accounts stay as they are. Missing companies are added.
   */
  applyFile(entries: readonly AccountEntry[]): Promise<void>;
  /** Adds an account, and its company when that is missing; undefined where the e-mail is taken. */
  add(entry: AccountEntry): Promise<{ readonly isNewCompany: boolean } | undefined>;
  /** By company and e-mail. */
  list(companyKey?: string): Promise<readonly AccountSummary[]>;
  /** A disabled account has no tokens any more. Undefined where there is no such account. */
  setDisabled(email: string, isDisabled: boolean): Promise<AccountSummary | undefined>;
  /** Tokens that were given for the old password end. Undefined where there is no such account. */
  setPassword(email: string, password: PasswordHash): Promise<AccountSummary | undefined>;
  /** Stores the same password in another form, unless it was changed in the meantime. */
  replaceHash(account: Account, before: PasswordHash, after: PasswordHash): Promise<void>;
  listCompanies(): Promise<readonly string[]>;
  findByEmail(email: string): Promise<StoredAccount | undefined>;
  /**
   * Stores a token of a login by its digest, with the address of the login, and deletes what has expired. False, and
   * nothing is stored, where the account was changed or disabled since it was read.
   */
  saveToken(token: NewToken): Promise<boolean>;
  findToken(digest: string): Promise<StoredToken | undefined>;
  /** Whether the account has logged in from that address, by `markOf`, in the last 24 hours. */
  isKnownAddress(email: string, mark: string, nowMs: number): Promise<boolean>;
}

/** A service account, as the requests that it makes see it. */
export interface Account extends Principal {
  readonly accountRow: number;
  readonly companyKey: string;
  readonly isAdmin: boolean;
}

/** The scope that every write asks for in the contract. */
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
