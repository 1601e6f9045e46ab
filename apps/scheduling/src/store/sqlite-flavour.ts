import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type { StatementCache } from './node-sqlite-dialect.ts';
import { OutOfTime, processorTime, type ReadEngine } from './read-engine.ts';
import { type ColumnTypes, isUnchanged, type Sql, type SqlFlavour, skippedMax } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

export const sqliteColumnTypes: ColumnTypes = {
  text: sql`text`,
  rowKey: sql`integer`,
  reference: sql`integer`,
  integer: sql`integer`,
  instant: sql`text`,
  decimal: sql`real`,
  flag: sql`integer`,
  document: sql`text`,
  tableEnd: sql`strict`,
  emptyUnlessChanged: ({ table, key, column, columns }) => [
    sql.raw(
      `CREATE TRIGGER "${table}_unchanged" AFTER UPDATE ON "${table}" WHEN ${isUnchanged(columns)} AND NEW."${column}" <> '' ` +
        `BEGIN UPDATE "${table}" SET "${column}" = '' WHERE "${key}" = NEW."${key}"; END`,
    ),
  ],
};

/** Registered by the read engine as not deterministic, so that SQLite calls it for each row. */
const inTimeFunction = 'rostergate_in_time';

/** Registered on each connection to SQLite. */
export const numberTextFunction = 'rostergate_number_text';

export const sqliteFlavour: SqlFlavour = {
  dialect: 'sqlite',
  columnTypes: sqliteColumnTypes,
  flag: Number,
  parameter: () => '?',
  json(sql, kind) {
    switch (kind) {
      case 'flag':
        return `iif(${sql}, 'true', 'false')`;
      case 'decimal':
        return `${numberTextFunction}(${sql})`;
      case 'utc':
        return `json_quote(${sql} || 'Z')`;
      case 'document':
        return sql;
      default:
        return `json_quote(${sql})`;
    }
  },
  concat: (parts) => `concat(${parts.join(', ')})`,
  list: (item) => `concat('[', group_concat(${item}, ','), ']')`,
  noLimit: '-1',
  // SQLite has one writer at a time and assigns the highest number plus one.
  withOwnNumbers: (_trx, _columns, work) => work(),
  // SQLite numbers the next row of any company after the highest one.
  async reserveNumbers(trx, { table, column, upTo }) {
    const highest = sql`select coalesce(max(${sql.ref(column)}), 0) as "number" from ${sql.table(table)}`;
    const { rows } = await highest.execute(trx);
    const last = Number((rows[0] as { readonly number: number }).number);
    return upTo - last > skippedMax ? last : upTo;
  },
  beginSnapshot: 'begin',
  // Changed pages that fit in memory are written once, however many rows change: up to 512 MB.
  async withoutTimeLimit(trx) {
    await sql`pragma cache_size = -524288`.execute(trx);
  },
  // CROSS JOIN makes SQLite keep the order of the tables, and so the order of the array.
  pickStaff: (list, table = 'staff') =>
    `json_each(${list}) AS pick CROSS JOIN "${table}" AS s ON s."StaffRow" = pick.value`,
  // Bytes are sent unchanged; a text would be decoded and encoded again.
  joinPicked: (item) => `CAST(group_concat(${item}, '') AS BLOB)`,
  inTime: `${inTimeFunction}() = 1`,
};

/**
 * Returns the JSON text of a double in PostgreSQL's format: the fewest digits that round-trip, with an exponent below
 * 1e-4 and from 1e15 on. JSON has no infinity: null.
 */
export function numberText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return 'null';
  const [digits = '', exponentText] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 15) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

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
