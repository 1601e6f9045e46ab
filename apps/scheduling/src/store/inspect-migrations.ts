import { existsSync } from 'node:fs';
import { Kysely } from 'kysely';
import type { Settings } from '../settings.ts';
import { listMigrations, type MigrationState } from './migrate.ts';

/** Which migrations the database has had and which it lacks, in their order. Changes nothing, and makes no file. */
export async function inspectMigrations(
  settings: Pick<Settings, 'database_file' | 'database_url'>,
): Promise<readonly MigrationState[]> {
  const db = await connect(settings);
  if (db === undefined) return listMigrations(undefined);
  try {
    return await listMigrations(db);
  } finally {
    await db.destroy();
  }
}

async function connect({
  database_file,
  database_url,
}: Pick<Settings, 'database_file' | 'database_url'>): Promise<Kysely<unknown> | undefined> {
  if (database_url !== undefined) {
    const [{ PostgresDialect }, { createPostgresPool }] = await Promise.all([
      import('kysely'),
      import('./postgres-pool.ts'),
    ]);
    const pool = createPostgresPool({ url: database_url, connectionsMax: 1, statementTimeoutMs: 5_000 });
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  }
  if (!existsSync(database_file)) return undefined;
  const [{ DatabaseSync }, { createNodeSqliteDialect }] = await Promise.all([
    import('node:sqlite'),
    import('./node-sqlite-dialect.ts'),
  ]);
  return new Kysely({ dialect: createNodeSqliteDialect(new DatabaseSync(database_file, { readOnly: true })) });
}
