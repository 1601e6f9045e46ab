import { randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { sqliteFunctions } from '@rostergate/odata';
import { Kysely } from 'kysely';
import { createAccountStore } from '../accounts/sql-account-store.ts';
import { createWebhookStore } from '../webhooks/sql-webhook-store.ts';
import { migrate } from './migrate.ts';
import { createNodeSqliteDialect, createStatementCache, type StatementCache } from './node-sqlite-dialect.ts';
import { createPause } from './pace.ts';
import {
  costPerLook,
  createSqliteReadEngine,
  numberText,
  numberTextFunction,
  sqliteFlavour,
} from './sqlite-flavour.ts';
import { refreshOutdatedDocuments } from './staff-documents.ts';
import { createStaffStore, type OpenStore } from './staff-store.ts';
import type { Tables, TransactCompany } from './tables.ts';

type SqliteFunctionBody = (...values: SQLOutputValue[]) => SQLInputValue;

export interface SqliteStoreOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly statementTimeoutMs?: number | undefined;
  readonly clock?: () => number;
  readonly newKey?: () => string;
}

/** Opens the database, which is created when missing, and migrates it. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<OpenStore> {
  const { file, clock = Date.now, newKey = randomUUID, statementTimeoutMs } = options;
  const writer = connect(file);
  const writes = writer.db;
  const migrated = await migrate(writes as unknown as Kysely<unknown>, sqliteFlavour.columnTypes);
  // SQLite has one writer at a time.
  const transact: TransactCompany = (_, work) => writes.transaction().execute(work);
  await refreshOutdatedDocuments(writes, sqliteFlavour, transact);
  // An in-memory database has one connection. For a file, reads use another connection than writes, so they never wait.
  const reader = file === ':memory:' ? writer : connect(file);
  const reads = reader.db;
  // Reads of an in-memory database would see the rows of an open transaction.
  const pause = reader === writer ? undefined : createPause();
  const engine = createSqliteReadEngine({ ...reader, isReadOnly: reader !== writer });
  // A pattern match on a long text is slow by itself, so it always reads the clock.
  addFunctions(reader.database, (name) => engine.checkTime(name === 'odata_matches' ? costPerLook : 1));
  return {
    migrated,
    store: createStaffStore({
      reads,
      writes,
      engine,
      statementTimeoutMs,
      transact,
      flavour: sqliteFlavour,
      clock,
      newKey,
      pause,
    }),
    accounts: createAccountStore(writes, sqliteFlavour, reads),
    webhooks: createWebhookStore({ reads, writes, engine, transact, flavour: sqliteFlavour, clock }),
  };
}

interface Connection {
  readonly database: DatabaseSync;
  readonly prepare: StatementCache;
  readonly db: Kysely<Tables>;
}

function connect(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
  // FULL: the log is on disk before the response is sent, so an acknowledged write survives a crash.
  database.exec(
    // For new files: a person's JSON fits in one page.
    'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;',
  );
  addFunctions(database);
  database.function(numberTextFunction, { deterministic: true }, (value) => numberText(value as number | null));
  const prepare = createStatementCache(database);
  return { database, prepare, db: new Kysely<Tables>({ dialect: createNodeSqliteDialect(database, { prepare }) }) };
}

/** Registers the functions that filters call; `before` runs before each call. */
function addFunctions(database: DatabaseSync, before: (name: string) => void = () => {}): void {
  for (const { name, run } of sqliteFunctions) {
    const body = run as unknown as SqliteFunctionBody;
    database.function(name, { deterministic: true, varargs: true }, (...values: SQLOutputValue[]) => {
      before(name);
      return body(...values);
    });
  }
}
