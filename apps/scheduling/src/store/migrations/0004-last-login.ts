import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/** Adds the time of the last login to each account. Frozen. */
export async function addLastLogin(db: Kysely<unknown>, { instant }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('LastLoginDateUtc', instant).execute();
}
