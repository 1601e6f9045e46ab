import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/** Adds a version to every person, and an index of the audit by company. Frozen. */
export async function addRevision(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('staff')
    .addColumn('Revision', integer, (c) => c.notNull().defaultTo(sql`1`))
    .execute();
  await db.schema.createIndex('audit_by_company').on('audit').columns(['CompanyKey', 'AuditRow']).execute();
}
