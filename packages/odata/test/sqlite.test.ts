import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { expect, test } from 'vitest';
import { bind, parseQueryOptions, sqliteFunctions, toSql, toSqlKeys } from '../src/index.ts';
import { describeDifferential, type Engine, toKey } from './differential.contract.ts';
import { mapping, people, schema, tableRows } from './people.ts';

function createSqlite(): Engine {
  const db = new DatabaseSync(':memory:');
  for (const sql of schema({ text: 'TEXT', double: 'REAL', boolean: 'INTEGER' })) db.exec(sql);
  for (const { name, deterministic, run } of sqliteFunctions) db.function(name, { deterministic }, run as never);
  return {
    load(rows) {
      for (const [table, values] of Object.entries(tableRows(rows))) {
        db.exec(`DELETE FROM ${table}`);
        for (const row of values) {
          const plain = row.map((value) => (typeof value === 'boolean' ? Number(value) : value)) as SQLInputValue[];
          db.prepare(`INSERT INTO ${table} VALUES (${plain.map(() => '?').join(', ')})`).run(...plain);
        }
      }
    },
    find(query) {
      const { where, orderby } = toSql(query, 'sqlite', { mapping, row: 'p' });
      const keys = toSqlKeys(query, 'sqlite', { mapping, row: 'p' });
      const columns = ['key', ...keys.map(({ text }, i) => `${text} AS k${i}`)].join(', ');
      const sql = `SELECT ${columns} FROM person AS p WHERE ${where?.text ?? '1'} ORDER BY ${orderby ? `${orderby.text}, ` : ''}key`;
      const values = [
        ...keys.flatMap((key) => key.parameters),
        ...(where?.parameters ?? []),
        ...(orderby?.parameters ?? []),
      ];
      const statement = db.prepare(sql);
      statement.setReadBigInts(true);
      return statement
        .all(...(values as SQLInputValue[]))
        .map((row) => ({ key: row.key as string, values: keys.map((_, i) => toKey(row[`k${i}`], query.orderby[i])) }));
    },
    close: () => db.close(),
  };
}

describeDifferential('SQLite', createSqlite);

test('SQLite runs the deepest filters within the limits', () => {
  const db = new DatabaseSync(':memory:');
  for (const { name, deterministic, run } of sqliteFunctions) db.function(name, { deterministic }, run as never);
  for (const sql of schema({ text: 'TEXT', double: 'REAL', boolean: 'INTEGER' })) db.exec(sql);
  const deep = (wrap: string, inner: string, depth: number) => wrap.repeat(depth) + inner + ')'.repeat(depth);
  for (const filter of [
    deep('not (', 'endswith(Name,Note)', 23),
    `${deep('-(Age mod ', 'Score', 15)} gt 1`,
    `${deep('tolower(', 'Name', 46)} eq 'a'`,
  ]) {
    const query = bind(parseQueryOptions(new URLSearchParams({ $filter: filter })), people, 'Person');
    const { text, parameters } = toSql(query, 'sqlite', { mapping, row: 'p' }).where ?? { text: '', parameters: [] };
    const rows = db.prepare(`SELECT key FROM person AS p WHERE ${text}`).all(...(parameters as SQLInputValue[]));
    expect(rows).toEqual([]);
  }
  db.close();
});
