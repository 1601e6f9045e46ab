import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/**
 * Creates an empty table for the JSON of every person. Documents carry a digest of how they were built; opening the
 * database rebuilds those with another one. Frozen.
 */
export async function createDocumentTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, reference, tableEnd } = types;
  let documents = db.schema
    .createTable('staff_documents')
    .modifyEnd(tableEnd)
    .addColumn('StaffRow', reference, (c) => c.primaryKey().references('staff.StaffRow').onDelete('cascade'))
    .addColumn('CompKey', text, (c) => c.notNull());
  for (const name of ['Person', 'Tags', 'TTCMTags', 'Skillset', 'Profiles']) {
    documents = documents.addColumn(name, text, (c) => c.notNull());
  }
  await documents.execute();
  await db.schema
    .createTable('staff_documents_form')
    .modifyEnd(tableEnd)
    .addColumn('Digest', text, (c) => c.notNull())
    .execute();
  await sql`INSERT INTO "staff_documents_form" ("Digest") VALUES ('')`.execute(db);
}
