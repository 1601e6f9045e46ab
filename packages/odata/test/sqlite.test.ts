import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sqliteFunctions, toSql } from '../src/index.ts';
import { describeDifferential, type Engine } from './differential.contract.ts';
import { mapping, schema, tableRows } from './people.ts';

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
    keys(query) {
      const { where, orderby } = toSql(query, 'sqlite', { mapping, row: 'p' });
      const sql = `SELECT key FROM person AS p WHERE ${where?.text ?? '1'} ORDER BY ${orderby ? `${orderby.text}, ` : ''}key`;
      const parameters = [...(where?.parameters ?? []), ...(orderby?.parameters ?? [])] as SQLInputValue[];
      return db
        .prepare(sql)
        .all(...parameters)
        .map((row) => row.key as string);
    },
    close: () => db.close(),
  };
}

describeDifferential('SQLite', createSqlite);
