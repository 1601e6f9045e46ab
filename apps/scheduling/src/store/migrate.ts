import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createStaffTables } from './migrations/0001-staff.ts';
import { addRevision } from './migrations/0002-revision.ts';
import { createDocumentTables } from './migrations/0003-documents.ts';
import { addLastLogin } from './migrations/0004-last-login.ts';
import { addAccountRevision } from './migrations/0005-accounts.ts';
import { addDocumentForms } from './migrations/0006-document-forms.ts';
import type { ColumnTypes } from './sql-flavour.ts';
import { sqliteColumnTypes } from './sqlite-flavour.ts';

function createMigrations(types: ColumnTypes): Record<string, Migration> {
  return {
    '0001-staff': { up: (on) => createStaffTables(on, types) },
    '0002-revision': { up: (on) => addRevision(on, types) },
    '0003-documents': { up: (on) => createDocumentTables(on, types) },
    '0004-last-login': { up: (on) => addLastLogin(on, types) },
    '0005-accounts': { up: (on) => addAccountRevision(on, types) },
    '0006-document-forms': { up: (on) => addDocumentForms(on, types) },
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

/** The database could not be brought to the newest schema; the cause is the fault of the database. */
export class MigrationError extends Error {
  constructor(migration: string | undefined, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The database could not be brought up to date${migration ? `: migration ${migration} failed` : ''}. The reason: ${reason}`,
      { cause },
    );
    this.name = 'MigrationError';
  }
}

/**
 * Brings the database to the newest schema and returns the names of the migrations that this call ran. Several processes
 * may do so at once: each migration runs in one of them.
 * @throws LaterDatabaseError, MigrationError
 */
export async function migrate(db: Kysely<unknown>, types: ColumnTypes): Promise<readonly string[]> {
  const { error, results = [] } = await createMigrator(db, types).migrateToLatest();
  if (error === undefined) return results.map(({ migrationName }) => migrationName);
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown !== undefined) throw new LaterDatabaseError(unknown);
  const failed = results.find((result) => result.status === 'Error')?.migrationName;
  throw new MigrationError(failed, error);
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
