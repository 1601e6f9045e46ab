import { canonicalDateTime } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../store/sql-flavour.ts';
import type { Flag, Row, Tables } from '../store/tables.ts';
import { type Account, createAccount } from './account.ts';
import type { AccountEntry } from './accounts-file.ts';
import { addCompany, applyEntry, endTokens, insertAccount } from './apply-entry.ts';
import { deleteExpired } from './delete-expired.ts';
import { keepAddress, knownMs } from './known-addresses.ts';
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

/** `reads` is where a request finds its account: it must not wait for whoever writes. */
export function createAccountStore(
  db: Kysely<Tables>,
  { flag, dialect }: Pick<SqlFlavour, 'flag' | 'dialect'>,
  reads: Kysely<Tables> = db,
): AccountStore {
  const accounts = reads
    .selectFrom('accounts')
    .select(['accounts.AccountRow', 'accounts.Email', 'accounts.CompanyKey', 'accounts.IsAdmin'])
    .where('accounts.IsDisabled', '=', flag(false));
  const summaries = db
    .selectFrom('accounts')
    .select(['Email', 'CompanyKey', 'IsAdmin', 'IsDisabled', 'LastLoginDateUtc'])
    .orderBy('CompanyKey')
    .orderBy('Email');

  async function change(
    email: string,
    values: { readonly IsDisabled: Flag } | { readonly PasswordHash: string },
    endsTokens: boolean,
  ): Promise<AccountSummary | undefined> {
    await db.transaction().execute(async (trx) => {
      const account = trx.updateTable('accounts').set(values).where('Email', '=', email.toLowerCase());
      const changed = await account.returning('AccountRow').executeTakeFirst();
      if (changed !== undefined && endsTokens) await endTokens(trx, changed.AccountRow);
    });
    const row = await summaries.where('Email', '=', email.toLowerCase()).executeTakeFirst();
    return row && summaryOf(row);
  }

  return {
    applyFile: (entries) =>
      db.transaction().execute(async (trx) => {
        // In one order, so that two servers that start at once wait for each other, and never both.
        for (const entry of entries.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
          await applyEntry(trx, entry, flag);
        }
      }),
    add: (entry) =>
      db.transaction().execute(async (trx) => {
        const taken = await trx
          .selectFrom('accounts')
          .select('AccountRow')
          .where('Email', '=', entry.email.toLowerCase())
          .executeTakeFirst();
        if (taken !== undefined) return undefined;
        const isNewCompany = await addCompany(trx, entry.companyKey);
        // Another process may have added it since.
        return (await insertAccount(trx, entry, flag, null)) ? { isNewCompany } : undefined;
      }),
    async list(companyKey) {
      const chosen = companyKey === undefined ? summaries : summaries.where('CompanyKey', '=', companyKey);
      return (await chosen.execute()).map(summaryOf);
    },
    setDisabled: (email, isDisabled) => change(email, { IsDisabled: flag(isDisabled) }, isDisabled),
    setPassword: (email, password) => change(email, { PasswordHash: password }, true),
    async replaceHash({ accountRow }, before, after) {
      await db
        .updateTable('accounts')
        .set({ PasswordHash: after })
        .where('AccountRow', '=', accountRow)
        .where('PasswordHash', '=', before)
        .execute();
    },
    async listCompanies() {
      const rows = await db.selectFrom('companies').select('CompanyKey').orderBy('CompanyKey').execute();
      return rows.map(({ CompanyKey }) => CompanyKey);
    },
    async findByEmail(email) {
      const row = await accounts
        .select(['accounts.PasswordHash', 'accounts.Revision'])
        .where('accounts.Email', '=', email.toLowerCase())
        .executeTakeFirst();
      return (
        row && { account: accountOf(row), password: row.PasswordHash as PasswordHash, revision: Number(row.Revision) }
      );
    },
    saveToken: ({ digest, stored: { account, revision }, expiresAtMs, nowMs, mark }) =>
      db.transaction().execute(async (trx) => {
        const { accountRow } = account;
        // First: it locks the account, so that a change comes either before this token and is seen, or after and ends it.
        const { numUpdatedRows } = await trx
          .updateTable('accounts')
          .set({ LastLoginDateUtc: canonicalDateTime(new Date(nowMs).toISOString()) as string })
          .where('AccountRow', '=', accountRow)
          .where('Revision', '=', revision)
          .where('IsDisabled', '=', flag(false))
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) return false;
        await deleteExpired(trx, dialect, nowMs);
        await trx
          .insertInto('access_tokens')
          .values({ Digest: digest, AccountRow: accountRow, ExpiresAtMs: Math.trunc(expiresAtMs) })
          .execute();
        await keepAddress(trx, accountRow, mark, nowMs);
        return true;
      }),
    async findToken(digest) {
      const row = await accounts
        .innerJoin('access_tokens', 'access_tokens.AccountRow', 'accounts.AccountRow')
        .select('access_tokens.ExpiresAtMs')
        .where('access_tokens.Digest', '=', digest)
        .executeTakeFirst();
      return row && { account: accountOf(row), expiresAtMs: Number(row.ExpiresAtMs) };
    },
    async isKnownAddress(email, mark, nowMs) {
      const found = await accounts
        .innerJoin('known_addresses', 'known_addresses.AccountRow', 'accounts.AccountRow')
        .where('accounts.Email', '=', email.toLowerCase())
        .where('known_addresses.Mark', '=', mark)
        .where('known_addresses.LastLoginMs', '>', Math.trunc(nowMs - knownMs))
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

type SummaryColumn = 'Email' | 'CompanyKey' | 'IsAdmin' | 'IsDisabled' | 'LastLoginDateUtc';

function summaryOf(row: Pick<Row<'accounts'>, SummaryColumn>): AccountSummary {
  return {
    email: row.Email,
    companyKey: row.CompanyKey,
    isAdmin: Boolean(row.IsAdmin),
    isDisabled: Boolean(row.IsDisabled),
    lastLogin: row.LastLoginDateUtc === null ? null : `${row.LastLoginDateUtc}Z`,
  };
}

function accountOf(row: {
  readonly AccountRow: number;
  readonly Email: string;
  readonly CompanyKey: string;
  readonly IsAdmin: number | boolean;
}): Account {
  return createAccount({
    accountRow: row.AccountRow,
    email: row.Email,
    companyKey: row.CompanyKey,
    isAdmin: Boolean(row.IsAdmin),
  });
}
