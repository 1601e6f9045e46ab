import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { ColumnTypes } from './column-types.ts';
import { createStaffTables } from './migrations/0001-staff.ts';
import { addRevision } from './migrations/0002-revision.ts';
import { createDocumentTables } from './migrations/0003-documents.ts';
import { addLastLogin } from './migrations/0004-last-login.ts';

/** Brings the database to the newest shape; what has run before is passed over. */
export async function migrate(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const migrations: Record<string, Migration> = {
    '0001-staff': { up: (on) => createStaffTables(on, types) },
    '0002-revision': { up: (on) => addRevision(on, types) },
    '0003-documents': { up: (on) => createDocumentTables(on, types) },
    '0004-last-login': { up: (on) => addLastLogin(on, types) },
  };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName;
    throw new Error(`The database could not be brought up to date${failed ? `: migration ${failed} failed` : ''}.`, {
      cause: error,
    });
  }
}
