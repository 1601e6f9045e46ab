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
          if (isFull(error)) throw diskFull(error);
          if (isDiskFailure(error) && !isRead(query.sql)) throw diskFailed(error);
          if (!isBusy(error)) throw error;
          if (waitedMs >= busyMs) throw busy(error);
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

/** SQLITE_BUSY: another process writes, or opens or closes the file. Nothing was written. */
function isBusy(error: unknown): boolean {
  return kindOf(error) === 5;
}

/** SQLITE_FULL: nothing was written. */
function isFull(error: unknown): boolean {
  return kindOf(error) === 13;
}

/** SQLITE_IOERR of any kind: it is unknown whether the write succeeded. */
function isDiskFailure(error: unknown): boolean {
  return kindOf(error) === 10;
}

/** A disk that cannot be read does not recover by a retry, so a failed read is an internal error. */
function isRead(sql: string): boolean {
  return /^\s*(?:select|pragma|explain)\b/i.test(sql);
}

/** Returns the primary result code: the lowest byte (sqlite.org/rescode.html). */
function kindOf(error: unknown): number {
  return Number((error as { errcode?: unknown }).errcode) & 0xff;
}

function diskFull(cause: unknown): Problem {
  return new Problem('unavailable', 'The disk of the database is full, and nothing was written. Try again later.', {
    headers: { 'Retry-After': '10' },
    cause,
  });
}

/** Without Retry-After, because some clients then repeat a write automatically. */
function diskFailed(cause: unknown): Problem {
  const detail =
    'The disk of the database failed. It is unknown whether this was written. Read it before you try again.';
  return new Problem('unavailable', detail, { cause });
}

function busy(cause: unknown): Problem {
  return new Problem('unavailable', 'The database is busy with another write. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}
