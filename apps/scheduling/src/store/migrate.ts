import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type ColumnTypes, sqliteColumnTypes } from './column-types.ts';
import { createStaffTables } from './migrations/0001-staff.ts';
import { addRevision } from './migrations/0002-revision.ts';
import { createDocumentTables } from './migrations/0003-documents.ts';
import { addLastLogin } from './migrations/0004-last-login.ts';

function createMigrations(types: ColumnTypes): Record<string, Migration> {
  return {
    '0001-staff': { up: (on) => createStaffTables(on, types) },
    '0002-revision': { up: (on) => addRevision(on, types) },
    '0003-documents': { up: (on) => createDocumentTables(on, types) },
    '0004-last-login': { up: (on) => addLastLogin(on, types) },
  };
}

/** A migration, and whether the database has had it. */
export interface MigrationState {
  readonly name: string;
  /** RFC 3339; null when it is still to come. */
  readonly ranAt: string | null;
}

/** The database has had a migration that this version does not know. */
export class LaterDatabaseError extends Error {
  constructor(migration: string) {
    super(`It was made by a later version of this program (migration ${migration}): use that one.`);
    this.name = 'LaterDatabaseError';
  }
}

/**
 * Brings the database to the newest shape; what has run before is passed over.
 * @throws LaterDatabaseError
 */
export async function migrate(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { error, results } = await createMigrator(db, types).migrateToLatest();
  if (error === undefined) return;
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown !== undefined) throw new LaterDatabaseError(unknown);
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  throw new Error(`The database could not be brought up to date${failed ? `: migration ${failed} failed` : ''}.`, {
    cause: error,
  });
}

/** All migrations in their order; of no database, none has run. */
export async function listMigrations(db: Kysely<unknown> | undefined): Promise<readonly MigrationState[]> {
  // Nothing is run, so it does not matter in whose words.
  const types = sqliteColumnTypes;
  if (db === undefined) return Object.keys(createMigrations(types)).map((name) => ({ name, ranAt: null }));
  const found = await createMigrator(db, types).getMigrations();
  return found.map(({ name, executedAt }) => ({ name, ranAt: executedAt?.toISOString() ?? null }));
}

function createMigrator(db: Kysely<unknown>, types: ColumnTypes): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => createMigrations(types) } });
}
