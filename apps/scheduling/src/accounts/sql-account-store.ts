import { canonicalDateTime } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../store/sql-flavour.ts';
import type { Flag, Row, Tables } from '../store/tables.ts';
import { type Account, type AccountStore, type AccountSummary, createAccount } from './account-store.ts';
import { type AccountEntry, digestOfEntry } from './accounts-file.ts';
import { deleteExpired, knownMs, storeAddress } from './login-records.ts';
import type { PasswordHash } from './password.ts';

/** `reads` is the connection for requests that look up an account: it never waits for a writer. */
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
        // In a fixed order, so that two servers that start at once cannot deadlock.
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
        // Another process may have added it in the meantime.
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
        // First, because it locks the account: a concurrent change is either visible here or revokes this token.
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
        await storeAddress(trx, accountRow, mark, nowMs);
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

type ToFlag = SqlFlavour['flag'];

/** Applies an entry of the accounts file, unless the same entry was the last one applied. */
async function applyEntry(trx: Kysely<Tables>, entry: AccountEntry, flag: ToFlag): Promise<void> {
  await addCompany(trx, entry.companyKey);
  const digest = digestOfEntry(entry);
  if (await insertAccount(trx, entry, flag, digest)) return;
  const values = { CompanyKey: entry.companyKey, PasswordHash: entry.password, IsAdmin: flag(entry.isAdmin) };
  const account = trx.updateTable('accounts').where('Email', '=', entry.email.toLowerCase());
  // An account that already matches the entry keeps its tokens: earlier versions stored no digests.
  await account
    .set({ FileEntryDigest: digest })
    .where('FileEntryDigest', 'is', null)
    .where('CompanyKey', '=', values.CompanyKey)
    .where('PasswordHash', '=', values.PasswordHash)
    .where('IsAdmin', '=', values.IsAdmin)
    .execute();
  const changed = await account
    .set({ ...values, FileEntryDigest: digest })
    .where((eb) => eb.or([eb('FileEntryDigest', 'is', null), eb('FileEntryDigest', '!=', digest)]))
    .returning('AccountRow')
    .executeTakeFirst();
  if (changed !== undefined) await endTokens(trx, changed.AccountRow);
}

/** Inserts an account unless its e-mail is taken; returns whether it did. */
async function insertAccount(
  trx: Kysely<Tables>,
  { email, password, companyKey, isAdmin }: AccountEntry,
  flag: ToFlag,
  fileEntryDigest: string | null,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('accounts')
    .values({
      ...{ Email: email.toLowerCase(), CompanyKey: companyKey, PasswordHash: password },
      ...{ IsAdmin: flag(isAdmin), IsDisabled: flag(false), FileEntryDigest: fileEntryDigest },
    })
    .onConflict((conflict) => conflict.column('Email').doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}

/** Revokes the tokens of an account and raises its revision, so that a login in progress gets no token either. */
async function endTokens(trx: Kysely<Tables>, accountRow: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ Revision: eb('Revision', '+', 1) }))
    .where('AccountRow', '=', accountRow)
    .execute();
  await trx.deleteFrom('access_tokens').where('AccountRow', '=', accountRow).execute();
}

/** Inserts a company unless it exists; returns whether it did. */
async function addCompany(trx: Kysely<Tables>, companyKey: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('companies')
    .values({ CompanyKey: companyKey, Name: companyKey })
    .onConflict((conflict) => conflict.column('CompanyKey').doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}
