import type { Kysely } from 'kysely';
import type { SqlFlavour } from './sql-flavour.ts';
import type { Account, AccountUpsert, StaffStore } from './staff-store.ts';
import type { Row, Tables } from './tables.ts';

type AccountStore = Pick<StaffStore, 'upsertAccount' | 'findAccount' | 'addToken' | 'findToken'>;

/** Accounts by email, whatever the case of its letters, and the digests of the tokens given to them. */
export function createAccountStore(reads: Kysely<Tables>, db: Kysely<Tables>, flavour: SqlFlavour): AccountStore {
  return {
    async upsertAccount({ email, passwordHash, companyKey, isAdmin }: AccountUpsert) {
      const columns = { CompanyKey: companyKey, PasswordHash: passwordHash, IsAdmin: flavour.flag(isAdmin) };
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('companies')
          .values({ CompanyKey: companyKey, Name: companyKey })
          .onConflict((on) => on.column('CompanyKey').doNothing())
          .execute();
        await trx
          .insertInto('accounts')
          .values({ ...columns, Email: email.toLowerCase(), IsDisabled: flavour.flag(false) })
          .onConflict((on) => on.column('Email').doUpdateSet(columns))
          .execute();
      });
    },

    async findAccount(email) {
      const row = await reads
        .selectFrom('accounts')
        .selectAll()
        .where('Email', '=', email.toLowerCase())
        .executeTakeFirst();
      return row && readAccount(row);
    },

    async addToken(digest, accountRow, expiresAtMs, nowMs) {
      await db.deleteFrom('access_tokens').where('ExpiresAtMs', '<', nowMs).execute();
      await db
        .insertInto('access_tokens')
        .values({ Digest: digest, AccountRow: accountRow, ExpiresAtMs: expiresAtMs })
        .execute();
    },

    async findToken(digest) {
      const row = await reads
        .selectFrom('access_tokens')
        .innerJoin('accounts', 'accounts.AccountRow', 'access_tokens.AccountRow')
        .selectAll('accounts')
        .select('access_tokens.ExpiresAtMs')
        .where('access_tokens.Digest', '=', digest)
        .executeTakeFirst();
      if (row === undefined || row.IsDisabled) return undefined;
      return { account: readAccount(row), expiresAtMs: Number(row.ExpiresAtMs) };
    },
  };
}

function readAccount(row: Row<'accounts'>): Account {
  return {
    accountRow: row.AccountRow,
    email: row.Email,
    passwordHash: row.PasswordHash,
    companyKey: row.CompanyKey,
    isAdmin: Boolean(row.IsAdmin),
    isDisabled: Boolean(row.IsDisabled),
  };
}
