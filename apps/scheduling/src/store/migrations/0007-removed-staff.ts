import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/** Creates the table of the people who were removed, for clients that follow changes. Frozen. */
export async function createRemovedStaff(db: Kysely<unknown>, { text, instant, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('removed_staff')
    .modifyEnd(tableEnd)
    .addColumn('CompKey', text, (c) => c.notNull())
    .addColumn('StaffKey', text, (c) => c.notNull())
    .addColumn('RemovedAtUtc', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('removed_staff_key', ['CompKey', 'StaffKey'])
    .execute();
  await db.schema
    .createIndex('removed_staff_by_time')
    .on('removed_staff')
    .columns(['CompKey', 'RemovedAtUtc', 'StaffKey'])
    .execute();
}
