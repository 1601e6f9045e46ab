import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { OutOfTime, processorTime, type ReadEngine } from './read-engine.ts';
import type { Sql } from './sql-flavour.ts';
import { inTimeFunction } from './sqlite-flavour.ts';
import type { Tables } from './tables.ts';

export interface SqliteReadOptions {
  readonly database: DatabaseSync;
  /** Kysely over the same connection: it waits for who has the connection, and for locks. */
  readonly db: Kysely<Tables>;
  /** Whether nobody writes over this connection, so that no read can see half of a write. */
  readonly isReadOnly: boolean;
  /** Milliseconds that never go back. Default: `processorTime`. */
  readonly now?: () => number;
}

/** Callers' filters make new texts without end. */
const statementsMax = 500;
/** Looking at the clock costs more than most of what lies between two looks. */
export const costPerLook = 32;

/** Reads straight from a connection of node:sqlite: what Kysely adds costs as much as reading a person. */
export function createSqliteReadEngine({
  database,
  db,
  isReadOnly,
  now = processorTime,
}: SqliteReadOptions): ReadEngine & {
  /** Ends the statement that calls it once it has had its time: SQLite itself has no way to. */
  readonly checkTime: (cost?: number) => void;
} {
  const statements = new Map<string, StatementSync>();
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

  function prepare(text: string): StatementSync {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = database.prepare(text);
      if (statements.size >= statementsMax) statements.delete(statements.keys().next().value as string);
      statements.set(text, statement);
    }
    return statement;
  }

  const run = <R>({ text, parameters }: Sql): R[] =>
    prepare(text).all(...(parameters as readonly SQLInputValue[])) as R[];

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
