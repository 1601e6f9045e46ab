import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { StatementCache } from './node-sqlite-dialect.ts';
import { OutOfTime, processorTime, type ReadEngine } from './read-engine.ts';
import type { Sql } from './sql-flavour.ts';
import { inTimeFunction } from './sqlite-flavour.ts';
import type { Tables } from './tables.ts';

export interface SqliteReadOptions {
  readonly database: DatabaseSync;
  readonly prepare: StatementCache;
  /** Kysely over the same connection, for waiting until it is free. */
  readonly db: Kysely<Tables>;
  /** Whether nothing writes over this connection, so that a read cannot see an unfinished write. */
  readonly isReadOnly: boolean;
  /** Monotonic milliseconds. Default: `processorTime`. */
  readonly now?: () => number;
}

/** Reading the clock costs more than most work between two readings, so only every n-th call reads it. */
export const costPerLook = 32;

/** Reads directly from a node:sqlite connection: Kysely's overhead equals reading a person. */
export function createSqliteReadEngine({
  database,
  prepare,
  db,
  isReadOnly,
  now = processorTime,
}: SqliteReadOptions): ReadEngine & {
  /** Throws `OutOfTime` when the running statement has exceeded its time: SQLite has no timeout of its own. */
  readonly checkTime: (cost?: number) => void;
} {
  let deadlineMs = Number.POSITIVE_INFINITY;
  let cost = 0;

  function checkTime(more = 1): void {
    cost += more;
    if (cost < costPerLook) return;
    cost = 0;
    if (now() > deadlineMs) throw new OutOfTime();
  }

  database.function(inTimeFunction, { deterministic: false, varargs: true }, () => {
    checkTime();
    return 1;
  });

  const run = <R>({ text, parameters }: Sql): R[] =>
    prepare(text).statement.all(...(parameters as readonly SQLInputValue[])) as R[];

  function runWithin<R>(sql: Sql, ms: number): R[] {
    deadlineMs = now() + ms;
    try {
      return run(sql);
    } finally {
      deadlineMs = Number.POSITIVE_INFINITY;
    }
  }

  /** Over a connection with writers, reads wait for their turn. */
  const inTurn = <R>(work: () => R[]): Promise<R[]> => db.connection().execute(async () => work());

  return {
    checkTime,
    select: <R>(sql: Sql) => (isReadOnly ? run<R>(sql) : inTurn(() => run<R>(sql))),
    selectWithin: <R>(sql: Sql, ms: number) =>
      isReadOnly ? runWithin<R>(sql, ms) : inTurn(() => runWithin<R>(sql, ms)),
  };
}
