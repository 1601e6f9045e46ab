import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createStaffTables } from './migrations/0001-staff.ts';
import { addRevision } from './migrations/0002-revision.ts';
import { createDocumentTables } from './migrations/0003-documents.ts';
import { addLastLogin } from './migrations/0004-last-login.ts';
import { addAccountRevision } from './migrations/0005-accounts.ts';
import { addDocumentForms } from './migrations/0006-document-forms.ts';
import { createRemovedStaff } from './migrations/0007-removed-staff.ts';
import { createWebhooks } from './migrations/0008-webhooks.ts';
import type { ColumnTypes } from './sql-flavour.ts';
import { sqliteColumnTypes } from './sqlite-flavour.ts';

const migrations: Readonly<Record<string, (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>>> = {
  '0001-staff': createStaffTables,
  '0002-revision': addRevision,
  '0003-documents': createDocumentTables,
  '0004-last-login': addLastLogin,
  '0005-accounts': addAccountRevision,
  '0006-document-forms': addDocumentForms,
  '0007-removed-staff': createRemovedStaff,
  '0008-webhooks': createWebhooks,
};

/** A migration and whether it is applied to the database. */
export interface MigrationState {
  readonly name: string;
  /** RFC 3339; null for a pending migration. */
  readonly appliedAt: string | null;
}

/** The database contains a migration that this version does not know. */
export class LaterDatabaseError extends Error {
  constructor(migration: string) {
    super(`A later version of this program created it (migration ${migration}). Use that version.`);
    this.name = 'LaterDatabaseError';
  }
}

/** The database could not be migrated; the cause is the error of the database. */
export class MigrationError extends Error {
  constructor(migration: string | undefined, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The database could not be migrated${migration ? `: migration ${migration} failed` : ''}. The reason: ${reason}`,
      { cause },
    );
    this.name = 'MigrationError';
  }
}

/**
 * Migrates the database to the newest schema and returns the names of the migrations that this call ran. Several
 * processes may call it at once: each migration runs in one of them.
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

/** Returns all migrations in order. Without a database all are pending. */
export async function listMigrations(db: Kysely<unknown> | undefined): Promise<readonly MigrationState[]> {
  if (db === undefined) return Object.keys(migrations).map((name) => ({ name, appliedAt: null }));
  // Nothing runs, so the column types do not matter.
  const found = await createMigrator(db, sqliteColumnTypes).getMigrations();
  return found.map(({ name, executedAt }) => ({ name, appliedAt: executedAt?.toISOString() ?? null }));
}

function createMigrator(db: Kysely<unknown>, types: ColumnTypes): Migrator {
  const named = Object.entries(migrations).map(([name, run]): [string, Migration] => {
    return [name, { up: (on) => run(on, types) }];
  });
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(named) } });
}
