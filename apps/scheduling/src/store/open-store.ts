import type { Settings } from '../settings.ts';
import type { OpenStore } from './sqlite-store.ts';

export interface OpenStoreDependencies {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

type StoreSettings = Pick<
  Settings,
  'database_file' | 'database_url' | 'database_connections_max' | 'statement_timeout_ms'
>;

/** Opens the database that the settings name, brought to the newest shape. Only that one's driver is loaded. */
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
