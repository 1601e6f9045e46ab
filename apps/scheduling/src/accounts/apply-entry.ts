import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../store/sql-flavour.ts';
import type { Tables } from '../store/tables.ts';
import { type AccountEntry, digestOfEntry } from './accounts-file.ts';

type ToFlag = SqlFlavour['flag'];

/** Applies an entry of the accounts file, unless the same entry was the last one applied. */
export async function applyEntry(trx: Kysely<Tables>, entry: AccountEntry, flag: ToFlag): Promise<void> {
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
export async function insertAccount(
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
export async function endTokens(trx: Kysely<Tables>, accountRow: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ Revision: eb('Revision', '+', 1) }))
    .where('AccountRow', '=', accountRow)
    .execute();
  await trx.deleteFrom('access_tokens').where('AccountRow', '=', accountRow).execute();
}

/** Inserts a company unless it exists; returns whether it did. */
export async function addCompany(trx: Kysely<Tables>, companyKey: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('companies')
    .values({ CompanyKey: companyKey, Name: companyKey })
    .onConflict((conflict) => conflict.column('CompanyKey').doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}
