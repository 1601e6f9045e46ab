import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/**
 * Adds to each stored document a form, the digest of how it was built, and the version of the person. Older servers do
 * not set these columns when they write a document; a trigger notices that and empties the form. Frozen.
 */
export async function addDocumentForms(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const table = 'staff_documents';
  await db.schema
    .alterTable(table)
    .addColumn('Form', types.text, (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable(table)
    .addColumn('Revision', types.integer, (c) => c.notNull().defaultTo(sql`0`))
    .execute();
  await sql`
    INSERT INTO "staff_documents" ("StaffRow", "CompKey", "Person", "Tags", "TTCMTags", "Skillset", "Profiles")
    SELECT "StaffRow", "CompKey", '', '', '', '', '' FROM "staff" AS s
    WHERE NOT EXISTS (SELECT 1 FROM "staff_documents" AS d WHERE d."StaffRow" = s."StaffRow")`.execute(db);
  await db.schema.createIndex('staff_documents_by_form').on(table).columns(['Form']).execute();
  const trigger = { table, key: 'StaffRow', column: 'Form', columns: ['Form', 'Revision'] };
  for (const statement of types.emptyUnlessChanged(trigger)) await statement.execute(db);
  await db.schema.dropTable('staff_documents_form').execute();
}
