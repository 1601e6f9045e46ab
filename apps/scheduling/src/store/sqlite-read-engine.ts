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
  /** Kysely over the same connection: it waits for who has the connection, and for locks. */
  readonly db: Kysely<Tables>;
  /** Whether nobody writes over this connection, so that no read can see half of a write. */
  readonly isReadOnly: boolean;
  /** Milliseconds that never go back. Default: `processorTime`. */
  readonly now?: () => number;
}

/** Looking at the clock costs more than most of what lies between two looks. */
export const costPerLook = 32;

/** Reads straight from a connection of node:sqlite: what Kysely adds costs as much as reading a person. */
export function createSqliteReadEngine({
  database,
  prepare,
  db,
  isReadOnly,
  now = processorTime,
}: SqliteReadOptions): ReadEngine & {
  /** Ends the statement that calls it once it has had its time: SQLite itself has no way to. */
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

  /** Over a connection that others write to, reads wait for their turn. */
  const inTurn = <R>(work: () => R[]): Promise<R[]> => db.connection().execute(async () => work());

  return {
    checkTime,
    select: <R>(sql: Sql) => (isReadOnly ? run<R>(sql) : inTurn(() => run<R>(sql))),
    selectWithin: <R>(sql: Sql, ms: number) =>
      isReadOnly ? runWithin<R>(sql, ms) : inTurn(() => runWithin<R>(sql, ms)),
  };
}
