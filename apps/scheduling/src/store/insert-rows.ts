import { CompiledQuery, type Kysely } from 'kysely';
import type { Row, Tables } from './tables.ts';

/** Rows per statement: below the limit on parameters, and enough for few, prepared statements. */
const rowsAtOnce = 50;

/** Inserts many rows. Every full batch has the same statement, so it is prepared once. */
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
