import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@rostergate/server/problem';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** Prepared statements per connection. Callers' filters produce new texts without end, so the oldest is dropped. */
const statementsMax = 500;

/** The prepared statements of a connection, by their text. */
export type StatementCache = (sql: string) => Prepared;

export interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/** Preparing a statement and reading its columns costs more than most reads, so both are cached. */
export function createStatementCache(database: DatabaseSync): StatementCache {
  const statements = new Map<string, Prepared>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    if (statements.size >= statementsMax) statements.delete(statements.keys().next().value as string);
    statements.set(sql, prepared);
    return prepared;
  };
}

export interface NodeSqliteOptions {
  /** How long a write waits for the write lock of another process. */
  readonly busyMs?: number;
  /** Default: a cache of its own. Pass one to share it with other reads over the same connection. */
  readonly prepare?: StatementCache;
}

/** Returns a Kysely dialect over one node:sqlite connection. Kysely runs one transaction at a time on it. */
export function createNodeSqliteDialect(
  database: DatabaseSync,
  { busyMs = 5_000, prepare = createStatementCache(database) }: NodeSqliteOptions = {},
): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () => createDriver(database, prepare, busyMs),
    createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Runs migrations in a transaction: of several processes one creates the tables, and a crash leaves none incomplete.
 */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(database: DatabaseSync, prepare: StatementCache, busyMs: number): Driver {
  // SQLite waits for a lock by blocking the thread and with it every request, so the driver waits instead.
  database.exec('PRAGMA busy_timeout = 0');
  const connection = createConnection(prepare, busyMs);
  const run = async (sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // Takes the write lock at once: a read that turns into a write later could not wait for another process.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => {
      // When the disk is full, SQLite has already rolled back (sqlite.org/lang_transaction.html).
      if (database.isTransaction) await run('rollback');
    },
    releaseConnection: async () => {},
    destroy: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function createConnection(prepare: StatementCache, busyMs: number): DatabaseConnection {
  function execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = prepare(sql);
    const values = parameters as readonly SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      let waitMs = 1;
      for (let waitedMs = 0; ; waitedMs += waitMs, waitMs = Math.min(waitMs * 2, waitMsMax)) {
        try {
          return execute<R>(query);
        } catch (error) {
          const kind = sqliteErrorKind(error);
          if (kind === kinds.full) throw unavailable(details.full, error, 10);
          // A disk that cannot be read does not recover by a retry, so a failed read is an internal error.
          if (kind === kinds.ioError && !isRead(query.sql)) throw unavailable(details.ioError, error);
          if (kind !== kinds.busy) throw error;
          if (waitedMs >= busyMs) throw unavailable(details.busy, error, 1);
          await sleep(waitMs);
        }
      }
    },
    // biome-ignore lint/correctness/useYield: large reads are read in slices, so that no cursor stays open.
    async *streamQuery() {
      throw new Error('Read in slices: a cursor would hold the connection between turns of the event loop.');
    },
  };
}

/** Maximum pause between two tries for the lock: short compared with a write, long compared with a try. */
const waitMsMax = 16;

const kinds = { busy: 5, ioError: 10, full: 13 };

const details = {
  /** Another process writes, or opens or closes the file. Nothing was written. */
  busy: 'The database is busy with another write. Try again in a moment.',
  ioError: 'The disk of the database failed. It is unknown whether this was written. Read it before you try again.',
  full: 'The disk of the database is full, and nothing was written. Try again later.',
};

function isRead(sql: string): boolean {
  return /^\s*(?:select|pragma|explain)\b/i.test(sql);
}

/** Returns the primary result code of an error of SQLite: the lowest byte (sqlite.org/rescode.html). */
export function sqliteErrorKind(error: unknown): number {
  return Number((error as { errcode?: unknown }).errcode) & 0xff;
}

/** Some clients repeat a write automatically after Retry-After, so an unknown outcome has none. */
function unavailable(detail: string, cause: unknown, retryAfterS?: number): Problem {
  const headers = retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) };
  return new Problem('unavailable', detail, { headers, cause });
}
