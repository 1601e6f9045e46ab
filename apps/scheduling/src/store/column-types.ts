import { type RawBuilder, sql } from 'kysely';

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
