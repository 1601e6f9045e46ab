import type { SqlDialectName } from '@rostergate/odata';
import type { Kysely, RawBuilder } from 'kysely';
import type { ScalarKind } from '../entity-model.ts';
import type { Flag, Tables } from './tables.ts';

/** More numbers are not skipped for an import: its rows then get new ones. */
export const skippedMax = 100_000;

/**
 * The differences between the databases. JSON is concatenated as text in SQL: that is about a third faster than the
 * databases' own JSON builders, and nested JSON is not parsed again.
 */
export interface SqlFlavour {
  readonly dialect: SqlDialectName;
  readonly columnTypes: ColumnTypes;
  flag(value: boolean): Flag;
  /** Returns the placeholder of the n-th parameter, from 1; SQLite numbers them itself. */
  parameter(n: number): string;
  /** Returns the SQL of a column's JSON text, `null` included. */
  json(sql: string, kind: ScalarKind): string;
  concat(parts: readonly string[]): string;
  /** Returns an aggregate: the JSON array of ordered JSON texts. */
  list(item: string): string;
  /** The LIMIT for all rows. */
  readonly noLimit: string;
  /**
   * Runs work that assigns row numbers itself, in these columns by table. Afterwards the database assigns higher ones.
   */
  withOwnNumbers<T>(trx: Kysely<Tables>, columns: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T>;
  /**
   * Reserves row numbers, so that rows may be inserted with those that no row has, and returns the highest usable one.
   */
  reserveNumbers(trx: Kysely<Tables>, numbers: { table: string; column: string; upTo: number }): Promise<number>;
  /** Begins a transaction that reads one snapshot and blocks no writer. */
  readonly beginSnapshot: string;
  /** Lets the transaction take as long as it needs, because no request waits for it. */
  withoutTimeLimit(trx: Kysely<Tables>): Promise<void>;
  /** Returns a FROM clause for the people, as row `s`, whose row numbers are in the JSON array `list`, in its order. */
  pickStaff(list: string, table?: 'staff' | 'staff_documents'): string;
  /** Returns an aggregate over `pickStaff`: the concatenated texts in the order of the list, as bytes if possible. */
  joinPicked(item: string): string;
  /**
   * A condition that always holds, and ends a statement at its time limit; for databases that cannot end it otherwise.
   */
  readonly inTime?: string | undefined;
}

/** A statement, or a part of one, with its parameters in order. */
export interface Sql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The column types of one database, so that each migration is written once. */
export interface ColumnTypes {
  readonly text: RawBuilder<unknown>;
  /** A row number that the database assigns. */
  readonly rowKey: RawBuilder<unknown>;
  readonly reference: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** A time in UTC in the contract's format, `2100-01-01T00:00:00`: text order is time order. */
  readonly instant: RawBuilder<unknown>;
  readonly decimal: RawBuilder<unknown>;
  readonly flag: RawBuilder<unknown>;
  readonly document: RawBuilder<unknown>;
  /** The text after the closing parenthesis of CREATE TABLE. */
  readonly tableEnd: RawBuilder<unknown>;
  /**
   * Returns statements that create a trigger: it empties `column` of each updated row in which no `columns` changed.
   */
  readonly emptyUnlessChanged: (trigger: EmptyingTrigger) => readonly RawBuilder<unknown>[];
}

export interface EmptyingTrigger {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  /** Columns that every version which knows `column` changes in each update, `column` included. */
  readonly columns: readonly string[];
}

/** Returns the condition that an update changes none of the columns. */
export const isUnchanged = (columns: readonly string[]): string =>
  columns.map((name) => `NEW."${name}" = OLD."${name}"`).join(' AND ');
