import { randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { sqliteFunctions } from '@rostergate/odata';
import { Kysely } from 'kysely';
import { migrate } from './migrate.ts';
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts';
import { sqliteFlavour } from './sql-flavour.ts';
import { createSqlStaffStore } from './sql-staff-store.ts';
import type { StaffStore } from './staff-store.ts';
import type { Tables } from './tables.ts';

type SqliteFunctionBody = (...values: SQLOutputValue[]) => SQLInputValue;

export interface SqliteStoreOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly clock?: () => number;
  readonly newKey?: () => string;
}

/** Opens the database, brings it to the newest shape, and returns the store. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<StaffStore> {
  const { file, clock = Date.now, newKey = randomUUID } = options;
  const writes = connect(file);
  await migrate(writes as unknown as Kysely<unknown>, sqliteFlavour.columnTypes);
  // A database in memory belongs to its connection. In a file, reads go on while a write has the other connection.
  const reads = file === ':memory:' ? writes : connect(file);
  return createSqlStaffStore({ reads, writes, flavour: sqliteFlavour, clock, newKey });
}

function connect(file: string): Kysely<Tables> {
  const database = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
  // FULL: the log is on the disk before the answer is out, so an acknowledged write survives a crash.
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;',
  );
  for (const { name, run } of sqliteFunctions) {
    database.function(name, { deterministic: true }, run as unknown as SqliteFunctionBody);
  }
  return new Kysely<Tables>({ dialect: createNodeSqliteDialect(database) });
}
