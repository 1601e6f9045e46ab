import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@rostergate/runtime/problem';
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
  /** How long another process may keep the write lock before a write here gives up. */
  readonly busyMs?: number;
  /** Shared with others that read over the same connection. */
  readonly prepare?: StatementCache;
}

/**
 * Kysely over one node:sqlite connection; Kysely lets one transaction at a time have it. Preparing a statement and
 * asking for its columns costs more than most reads, so both are kept by the text of the query.
 */
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

/** Tables are made in one transaction too: of several that open a new file one makes them, and a crash leaves none half made. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(database: DatabaseSync, prepare: StatementCache, busyMs: number): Driver {
  // SQLite waits for a lock by putting the thread to sleep, and every other request with it: we wait in its place.
  database.exec('PRAGMA busy_timeout = 0');
  const connection = createConnection(prepare, busyMs);
  const run = async (sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // Taking the write lock at once: a read that later turns into a write could not wait for another process.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => {
      // SQLite has done so itself where the disk was full (sqlite.org/lang_transaction.html).
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
          if (isFull(error)) throw full(error);
          if (isDiskAtFault(error) && !isRead(query.sql)) throw diskAtFault(error);
          if (!isBusy(error)) throw error;
          if (waitedMs >= busyMs) throw busy(error);
          await sleep(waitMs);
        }
      }
    },
    // biome-ignore lint/correctness/useYield: large reads are taken in slices instead, so that no cursor stays open.
    async *streamQuery() {
      throw new Error('Read in slices: a cursor would hold the connection between turns of the event loop.');
    },
  };
}

/** Between two tries for the lock: short against a write, long against the cost of a try. */
const waitMsMax = 16;

/** SQLITE_BUSY, whatever for: another process writes, or is about to open or close the file. Nothing was done. */
function isBusy(error: unknown): boolean {
  return kindOf(error) === 5;
}

/** SQLITE_FULL: of what was to be written nothing stands. */
function isFull(error: unknown): boolean {
  return kindOf(error) === 13;
}

/** SQLITE_IOERR of any kind: of what was to be written nobody knows whether it stands. */
function isDiskAtFault(error: unknown): boolean {
  return kindOf(error) === 10;
}

/** A disk that cannot be read does not get well by waiting: that is told as a fault of the server. */
function isRead(sql: string): boolean {
  return /^\s*(?:select|pragma|explain)\b/i.test(sql);
}

/** The lowest byte is the kind, the rest the reason (sqlite.org/rescode.html). */
function kindOf(error: unknown): number {
  return Number((error as { errcode?: unknown }).errcode) & 0xff;
}

function full(cause: unknown): Problem {
  return new Problem('unavailable', 'The database has no room: nothing was written. Try again later.', {
    headers: { 'Retry-After': '10' },
    cause,
  });
}

/** Without Retry-After, by which some clients send a write again on their own. */
function diskAtFault(cause: unknown): Problem {
  const detail =
    'The disk of the database failed. Whether this was written is not known: read it before you try again.';
  return new Problem('unavailable', detail, { cause });
}

function busy(cause: unknown): Problem {
  return new Problem('unavailable', 'The database is busy with another write. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}
