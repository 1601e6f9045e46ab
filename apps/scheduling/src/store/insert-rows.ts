import { CompiledQuery, type Kysely } from 'kysely';
import type { Row, Tables } from './tables.ts';

/** Rows a statement: few enough for the bound on parameters, enough that the texts are few and stay prepared. */
const rowsAtOnce = 50;

/** Adds many rows of one shape. The text of the statement is the same for every full batch, so it is prepared once. */
export async function insertRows<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  const first = rows[0];
  if (first === undefined) return;
  const columns = Object.keys(first) as (keyof Row<T> & string)[];
  const compile = (count: number) => {
    const row = Object.fromEntries(columns.map((column) => [column, null]));
    return db
      .insertInto(table)
      .values(Array.from({ length: count }, () => row) as never)
      .compile().sql;
  };
  const whole = rows.length >= rowsAtOnce ? compile(rowsAtOnce) : '';
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const batch = rows.slice(at, at + rowsAtOnce);
    const text = batch.length === rowsAtOnce ? whole : compile(batch.length);
    const values = batch.flatMap((row) => columns.map((column) => row[column]));
    await db.executeQuery(CompiledQuery.raw(text, values as unknown[]));
  }
}
