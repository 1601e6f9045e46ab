import { CompiledQuery, type Kysely } from 'kysely';
import type { Row, Tables } from './tables.ts';

/** Rows per statement: below the limit on parameters, and enough for few, prepared statements. */
const rowsAtOnce = 50;

/**
 * Inserts many rows. Every full batch has the same statement, so it is prepared once. `pause` is called between
 * statements.
 */
export async function insertRows<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly Row<T>[],
  pause: () => Promise<void> = async () => {},
): Promise<void> {
  const first = rows[0];
  if (first === undefined) return;
  const columns = Object.keys(first) as (keyof Row<T> & string)[];
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    if (at > 0) await pause();
    const end = Math.min(at + rowsAtOnce, rows.length);
    const values: unknown[] = [];
    for (let i = at; i < end; i++) {
      const row = rows[i] as Row<T>;
      for (const column of columns) values.push(row[column]);
    }
    await db.executeQuery(CompiledQuery.raw(textOf(db, table, columns, end - at), values));
  }
}

/** Compiling a statement takes longer than running it, so each is compiled once for a connection or transaction. */
const texts = new WeakMap<Kysely<Tables>, Map<string, string>>();

function textOf(db: Kysely<Tables>, table: keyof Tables, columns: readonly string[], count: number): string {
  const known = texts.get(db) ?? new Map<string, string>();
  texts.set(db, known);
  const key = [table, count, ...columns].join();
  let text = known.get(key);
  if (text === undefined) {
    const row = Object.fromEntries(columns.map((column) => [column, null]));
    const values = Array.from({ length: count }, () => row);
    text = db
      .insertInto(table)
      .values(values as never)
      .compile().sql;
    known.set(key, text);
  }
  return text;
}
