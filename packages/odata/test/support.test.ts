import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import {
  bind,
  ODataError,
  parseQueryOptions,
  sqliteFunctions,
  toComparator,
  toPredicate,
  toSql,
} from '../src/index.ts';
import { methodNames, operatorNames } from '../src/vocabulary.ts';
import { mapping, people, schema } from './people.ts';
import { type SupportRow, support } from './support.ts';

const rows = Object.values(support).flat();

describe.each(rows)('$what', ({ queries, outcome }) => {
  test.each(queries)('%s', (query) => {
    expect(outcomeOf(query)).toBe(outcome);
  });
});

test('the table of the README contains every operator and function of the grammar', () => {
  const named = new Set(
    rows.flatMap(({ what }) => [...what.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.toLowerCase())),
  );
  expect([...operatorNames, ...methodNames].filter((name) => !named.has(name))).toEqual([]);
});

/** Runs the query in memory and on SQLite, and writes its SQL for PostgreSQL. */
function outcomeOf(query: string): SupportRow['outcome'] | 400 {
  try {
    const bound = bind(parseQueryOptions(query), people, 'Person');
    [{ Key: 'k', Name: 'a' }, { Key: 'l' }].filter(toPredicate(bound)).sort(toComparator(bound));
    toSql(bound, 'postgres', { mapping });
    runSqlite(toSql(bound, 'sqlite', { mapping, row: 'p' }));
    return 'yes';
  } catch (error) {
    if (error instanceof ODataError) return error.status;
    throw error;
  }
}

function runSqlite({ where, orderby }: ReturnType<typeof toSql>): void {
  const db = new DatabaseSync(':memory:');
  for (const sql of schema({ text: 'TEXT', double: 'REAL', boolean: 'INTEGER' })) db.exec(sql);
  for (const { name, deterministic, run } of sqliteFunctions) db.function(name, { deterministic }, run as never);
  const parameters = [...(where?.parameters ?? []), ...(orderby?.parameters ?? [])] as SQLInputValue[];
  db.prepare(`SELECT key FROM person p WHERE ${where?.text ?? '1'} ORDER BY ${orderby?.text ?? '1'}`).all(
    ...parameters,
  );
  db.close();
}
