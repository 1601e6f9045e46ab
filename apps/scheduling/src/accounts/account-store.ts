import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../store/sql-flavour.ts';
import type { Tables } from '../store/tables.ts';
import { type Account, createAccount } from './account.ts';
import type { AccountEntry } from './accounts-file.ts';
import type { PasswordHash } from './password.ts';

export interface StoredAccount {
  readonly account: Account;
  readonly password: PasswordHash;
}

export interface StoredToken {
  readonly account: Account;
  readonly expiresAtMs: number;
}

/** Accounts and the tokens given to them, in the same database as what they guard. */
export interface AccountStore {
  /** Makes the accounts or brings them up to date; others stay. Their companies are made when they are missing. */
  upsert(entries: readonly AccountEntry[]): Promise<void>;
  findByEmail(email: string): Promise<StoredAccount | undefined>;
  /** Keeps a token by its digest, and forgets those that have expired. */
  saveToken(digest: string, account: Account, expiresAtMs: number, nowMs: number): Promise<void>;
  findToken(digest: string): Promise<StoredToken | undefined>;
}

export function createAccountStore(db: Kysely<Tables>, { flag }: Pick<SqlFlavour, 'flag'>): AccountStore {
  const accounts = db
    .selectFrom('accounts')
    .select(['accounts.AccountRow', 'accounts.Email', 'accounts.CompanyKey', 'accounts.IsAdmin'])
    .where('accounts.IsDisabled', '=', flag(false));
  return {
    upsert: (entries) =>
      db.transaction().execute(async (trx) => {
        for (const { email, password, companyKey, isAdmin } of entries) {
          await trx
            .insertInto('companies')
            .values({ CompanyKey: companyKey, Name: companyKey })
            .onConflict((conflict) => conflict.column('CompanyKey').doNothing())
            .execute();
          const values = { CompanyKey: companyKey, PasswordHash: password, IsAdmin: flag(isAdmin) };
          await trx
            .insertInto('accounts')
            .values({ ...values, Email: email.toLowerCase(), IsDisabled: flag(false) })
            .onConflict((conflict) => conflict.column('Email').doUpdateSet(values))
            .execute();
        }
      }),
    async findByEmail(email) {
      const row = await accounts
        .select('accounts.PasswordHash')
        .where('accounts.Email', '=', email.toLowerCase())
        .executeTakeFirst();
      return row && { account: accountOf(row), password: row.PasswordHash as PasswordHash };
    },
    saveToken: (digest, account, expiresAtMs, nowMs) =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('access_tokens').where('ExpiresAtMs', '<=', nowMs).execute();
        await trx
          .insertInto('access_tokens')
          .values({ Digest: digest, AccountRow: account.accountRow, ExpiresAtMs: Math.trunc(expiresAtMs) })
          .execute();
      }),
    async findToken(digest) {
      const row = await accounts
        .innerJoin('access_tokens', 'access_tokens.AccountRow', 'accounts.AccountRow')
        .select('access_tokens.ExpiresAtMs')
        .where('access_tokens.Digest', '=', digest)
        .executeTakeFirst();
      return row && { account: accountOf(row), expiresAtMs: Number(row.ExpiresAtMs) };
    },
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
