import { existsSync } from 'node:fs';
import type { Kysely } from 'kysely';
import type { Settings } from '../settings.ts';
import { listMigrations, type MigrationState } from './migrate.ts';
import type { OpenStore } from './staff-store.ts';

export interface OpenStoreDependencies {
  readonly clock: () => number;
}

type DatabaseSettings = Pick<Settings, 'database_file' | 'database_url'>;
type StoreSettings = Pick<
  Settings,
  'database_file' | 'database_url' | 'database_connections_max' | 'statement_timeout_ms'
>;

/** Opens the database of the settings and migrates it. Loads only the driver of that database. */
export async function openStore(settings: StoreSettings, { clock }: OpenStoreDependencies): Promise<OpenStore> {
  const { database_url: url, database_file: file, statement_timeout_ms: statementTimeoutMs } = settings;
  if (url === undefined) {
    const { openSqliteStore } = await import('./sqlite-store.ts');
    return openSqliteStore({ file, statementTimeoutMs, clock });
  }
  const { openPostgresStore } = await import('./postgres-store.ts');
  return openPostgresStore({
    ...{ url, statementTimeoutMs, clock },
    connectionsMax: settings.database_connections_max,
  });
}

/** Returns which migrations have run and which are pending. Changes nothing and creates no file. */
export async function inspectMigrations(settings: DatabaseSettings): Promise<readonly MigrationState[]> {
  const db = await connect(settings);
  if (db === undefined) return listMigrations(undefined);
  try {
    return await listMigrations(db);
  } finally {
    await db.destroy();
  }
}

async function connect({ database_file, database_url }: DatabaseSettings): Promise<Kysely<unknown> | undefined> {
  if (database_url === undefined && !existsSync(database_file)) return undefined;
  const { Kysely, PostgresDialect } = await import('kysely');
  if (database_url !== undefined) {
    const { createPostgresPool } = await import('./postgres-pool.ts');
    const pool = createPostgresPool({ url: database_url, connectionsMax: 1, statementTimeoutMs: 5_000 });
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  }
  const [{ DatabaseSync }, { createNodeSqliteDialect }] = await Promise.all([
    import('node:sqlite'),
    import('./node-sqlite-dialect.ts'),
  ]);
  return new Kysely({ dialect: createNodeSqliteDialect(new DatabaseSync(database_file, { readOnly: true })) });
}
