import { openPostgresStore } from '../src/store/postgres-store.ts';
import { openSqliteStore } from '../src/store/sqlite-store.ts';
import type { OpenStore } from '../src/store/staff-store.ts';
import { createTestDatabase } from './test-database.ts';

export interface TestStoreSettings {
  readonly clock?: () => number;
  readonly newKey?: () => string;
}

/** Opens an empty store, deleted when it is closed: SQLite in memory, or PostgreSQL in a test run with a server. */
export async function openTestStore(settings: TestStoreSettings = {}): Promise<OpenStore> {
  if (process.env.TEST_WITH !== 'postgres') return openSqliteStore({ file: ':memory:', ...settings });
  const { url, drop } = await createTestDatabase();
  const { store, ...rest } = await openPostgresStore({
    url,
    connectionsMax: 4,
    statementTimeoutMs: 5_000,
    ...settings,
  });
  const close = async () => {
    await store.close();
    await drop();
  };
  return { ...rest, store: { ...store, close } };
}
