import { randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { sqliteFunctions } from '@rostergate/odata';
import { Kysely } from 'kysely';
import { type AccountStore, createAccountStore } from '../accounts/account-store.ts';
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
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** A key for somebody or something new. */
  readonly newKey?: () => string;
}

export interface OpenStore {
  /** Closing it closes everything. */
  readonly store: StaffStore;
  readonly accounts: AccountStore;
}

/** Opens the database, which is made when it is missing, and brings it to the newest shape. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<OpenStore> {
  const { file, clock = Date.now, newKey = randomUUID } = options;
  const writes = connect(file);
  await migrate(writes as unknown as Kysely<unknown>, sqliteFlavour.columnTypes);
  // A database in memory belongs to its connection. In a file, reads go on while a write has the other connection.
  const reads = file === ':memory:' ? writes : connect(file);
  return {
    store: createSqlStaffStore({ reads, writes, flavour: sqliteFlavour, clock, newKey }),
    accounts: createAccountStore(writes, sqliteFlavour),
  };
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
