import type { SqlDialectName } from '@rostergate/odata';
import type { Kysely, RawBuilder } from 'kysely';
import type { ScalarKind } from '../entity-model.ts';
import type { Flag, Tables } from './tables.ts';

/**
 * Where the databases differ. JSON is put together as text in SQL: no parsing of what a subquery has just written, and
 * about a third faster than the databases' own JSON builders.
 */
export interface SqlFlavour {
  readonly dialect: SqlDialectName;
  readonly columnTypes: ColumnTypes;
  flag(value: boolean): Flag;
  /** The n-th parameter of a statement, from 1; SQLite counts them by itself. */
  parameter(n: number): string;
  /** The JSON text of a column, `null` included. */
  json(sql: string, kind: ScalarKind): string;
  concat(parts: readonly string[]): string;
  /** An aggregate: the JSON array of JSON texts, which come in order. */
  list(item: string): string;
  /** LIMIT that does not limit. */
  readonly noLimit: string;
  /** Does what gives rows numbers of its own, in these columns by table; from then on the database gives higher ones. */
  withOwnNumbers<T>(trx: Kysely<Tables>, columns: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T>;
  /** FROM that gives the people, as row `s`, whose row numbers stand in the JSON array `list`, in its order. */
  pickStaff(list: string, table?: 'staff' | 'staff_documents'): string;
  /** An aggregate over `pickStaff`: texts one after the other, in the order of the list; as bytes where there are any. */
  joinPicked(item: string): string;
  /** A condition that always holds, and ends a statement that has had its time, where nothing else does. */
  readonly inTime?: string | undefined;
}

/** A statement, or a piece of one, with what its parameters stand for in their order. */
export interface Sql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What a column of each kind is in one database. Migrations are written once, in these words. */
export interface ColumnTypes {
  readonly text: RawBuilder<unknown>;
  /** A row number that the database gives out. */
  readonly rowKey: RawBuilder<unknown>;
  readonly reference: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** A moment in UTC, kept as the contract writes it: `2100-01-01T00:00:00`, so that text order is time order. */
  readonly instant: RawBuilder<unknown>;
  readonly decimal: RawBuilder<unknown>;
  readonly flag: RawBuilder<unknown>;
  /** JSON. */
  readonly document: RawBuilder<unknown>;
  /** What stands after the closing parenthesis of a table. */
  readonly tableEnd: RawBuilder<unknown>;
  /** Statements after which the database empties `column` of each row that is updated without a change of `columns`. */
  readonly emptyUnlessChanged: (trigger: EmptyingTrigger) => readonly RawBuilder<unknown>[];
}

export interface EmptyingTrigger {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  /** Columns that whoever knows `column` changes with every update, `column` itself among them. */
  readonly columns: readonly string[];
}

/** Holds for an update that changes none of the columns. */
export const isUnchanged = (columns: readonly string[]): string =>
  columns.map((name) => `NEW."${name}" = OLD."${name}"`).join(' AND ');
