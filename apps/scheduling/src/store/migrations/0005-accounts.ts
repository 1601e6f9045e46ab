import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/**
 * Adds to each account its revision, the entry of the accounts file that was last applied, and the addresses of its
 * logins. Frozen.
 */
export async function addAccountRevision(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, reference, integer, tableEnd } = types;
  await db.schema
    .alterTable('accounts')
    .addColumn('Revision', integer, (c) => c.notNull().defaultTo(sql`1`))
    .execute();
  await db.schema.alterTable('accounts').addColumn('FileEntryDigest', text).execute();
  await db.schema
    .createTable('known_addresses')
    .modifyEnd(tableEnd)
    .addColumn('AccountRow', reference, (c) => c.notNull().references('accounts.AccountRow').onDelete('cascade'))
    .addColumn('Mark', text, (c) => c.notNull())
    .addColumn('LastLoginMs', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('known_addresses_key', ['AccountRow', 'Mark'])
    .execute();
  await db.schema.createIndex('known_addresses_by_login').on('known_addresses').columns(['LastLoginMs']).execute();
}
