import { openPostgresStore } from '../src/store/postgres-store.ts';
import { openSqliteStore } from '../src/store/sqlite-store.ts';
import type { OpenStore } from '../src/store/staff-store.ts';
import { createTestDatabase } from './test-database.ts';

export interface TestStoreSettings {
  readonly clock?: () => number;
  readonly newKey?: () => string;
}

const limits = { connectionsMax: 4, statementTimeoutMs: 5_000 };

/** The name of a database that stores copy, because migrations take longest. It ends with the server. */
let migrated: Promise<string> | undefined;

async function createMigratedDatabase(): Promise<string> {
  const { name, url } = await createTestDatabase();
  const { store } = await openPostgresStore({ ...limits, url });
  await store.close();
  return name;
}

/** Opens an empty store, deleted when it is closed: SQLite in memory, or PostgreSQL in a test run with a server. */
export async function openTestStore(settings: TestStoreSettings = {}): Promise<OpenStore> {
  if (process.env.TEST_WITH !== 'postgres') return openSqliteStore({ file: ':memory:', ...settings });
  migrated ??= createMigratedDatabase();
  const { url, drop } = await createTestDatabase(await migrated);
  const { store, ...rest } = await openPostgresStore({ ...limits, url, ...settings });
  const close = async () => {
    await store.close();
    await drop();
  };
  return { ...rest, store: { ...store, close } };
}
