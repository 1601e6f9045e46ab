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
}

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
};
