import { canonicalDateTime } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../store/sql-flavour.ts';
import type { Flag, Row, Tables } from '../store/tables.ts';
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
  /** Makes the accounts or brings them up to date; others stay. Their companies are made when they are missing. */
  upsert(entries: readonly AccountEntry[]): Promise<void>;
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
  /** Keeps a token of a login by its digest, and forgets those that have expired. */
  saveToken(digest: string, account: Account, expiresAtMs: number, nowMs: number): Promise<void>;
  findToken(digest: string): Promise<StoredToken | undefined>;
}

/** `reads` is where a request finds its account: it must not wait for whoever writes. */
export function createAccountStore(
  db: Kysely<Tables>,
  { flag }: Pick<SqlFlavour, 'flag'>,
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

  /** Changes an account, with the end of its tokens where that follows. */
  async function change(
    email: string,
    values: { readonly IsDisabled: Flag } | { readonly PasswordHash: string },
    endsTokens: boolean,
  ): Promise<AccountSummary | undefined> {
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('accounts').set(values).where('Email', '=', email.toLowerCase()).execute();
      if (!endsTokens) return;
      const ofAccount = trx.selectFrom('accounts').select('AccountRow').where('Email', '=', email.toLowerCase());
      await trx.deleteFrom('access_tokens').where('AccountRow', 'in', ofAccount).execute();
    });
    const row = await summaries.where('Email', '=', email.toLowerCase()).executeTakeFirst();
    return row && summaryOf(row);
  }

  return {
    upsert: (entries) =>
      db.transaction().execute(async (trx) => {
        for (const { email, password, companyKey, isAdmin } of entries) {
          await addCompany(trx, companyKey);
          const values = { CompanyKey: companyKey, PasswordHash: password, IsAdmin: flag(isAdmin) };
          await trx
            .insertInto('accounts')
            .values({ ...values, Email: email.toLowerCase(), IsDisabled: flag(false) })
            .onConflict((conflict) => conflict.column('Email').doUpdateSet(values))
            .execute();
        }
      }),
    add: ({ email, password, companyKey, isAdmin }) =>
      db.transaction().execute(async (trx) => {
        const taken = await trx
          .selectFrom('accounts')
          .select('AccountRow')
          .where('Email', '=', email.toLowerCase())
          .executeTakeFirst();
        if (taken !== undefined) return undefined;
        const isNewCompany = await addCompany(trx, companyKey);
        const values = { CompanyKey: companyKey, PasswordHash: password, IsAdmin: flag(isAdmin) };
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('accounts')
          .values({ ...values, Email: email.toLowerCase(), IsDisabled: flag(false) })
          .onConflict((conflict) => conflict.column('Email').doNothing())
          .executeTakeFirst();
        // Another process may have added it since.
        return Number(numInsertedOrUpdatedRows) > 0 ? { isNewCompany } : undefined;
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
        await trx
          .updateTable('accounts')
          .set({ LastLoginDateUtc: canonicalDateTime(new Date(nowMs).toISOString()) as string })
          .where('AccountRow', '=', account.accountRow)
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

/** Makes a company unless it is there; tells whether it was missing. */
async function addCompany(trx: Kysely<Tables>, companyKey: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('companies')
    .values({ CompanyKey: companyKey, Name: companyKey })
    .onConflict((conflict) => conflict.column('CompanyKey').doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
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
