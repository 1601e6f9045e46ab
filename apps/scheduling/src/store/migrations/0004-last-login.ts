import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/** When each account has logged in last. Frozen, as every migration is. */
export async function addLastLogin(db: Kysely<unknown>, { instant }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('LastLoginDateUtc', instant).execute();
}
