import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts';
import { createReadEngine } from './read-engine.ts';
import { isComplete, noteRemoved } from './removed-staff.ts';
import { sqliteColumnTypes, sqliteFlavour } from './sqlite-flavour.ts';
import type { Tables } from './tables.ts';

const at = (second: number) => `2026-11-21T09:30:0${second}`;

it('forgets the oldest removals of a company, and then reports earlier changes as incomplete', async () => {
  const db = new Kysely<Tables>({ dialect: createNodeSqliteDialect(new DatabaseSync(':memory:')) });
  await migrate(db as unknown as Kysely<unknown>, sqliteColumnTypes);
  const engine = createReadEngine(db);
  const note = (second: number, staffKeys: string[], companyKey = 'a') =>
    noteRemoved(db, companyKey, { staffKeys, stamp: at(second), max: 3 });
  const keys = async () => {
    const rows = await db.selectFrom('removed_staff').select('StaffKey').where('CompKey', '=', 'a').execute();
    return rows.flatMap(({ StaffKey }) => (StaffKey === '' ? [] : [StaffKey])).toSorted();
  };
  const completeness = () =>
    Promise.all(
      [0, 1, 2, 3, 4].map((second) =>
        isComplete(engine, sqliteFlavour, 'a', { stamp: second === 0 ? '' : at(second) }),
      ),
    );
  await note(1, ['p', 'q']);
  await note(2, ['r']);
  expect([await keys(), await completeness()]).toEqual([
    ['p', 'q', 'r'],
    [true, true, true, true, true],
  ]);
  // A person who is removed again has the later time.
  await note(3, ['p', 's']);
  expect([await keys(), await completeness()]).toEqual([
    ['p', 'r', 's'],
    [false, true, true, true, true],
  ]);
  await note(4, ['t', 'u', 'v', 'w']);
  expect([await keys(), await completeness()]).toEqual([[], [false, false, false, false, true]]);
  // Some removals of this time may not have been delivered.
  expect(await isComplete(engine, sqliteFlavour, 'a', { stamp: at(4), staffKey: 'a' })).toBe(false);
  await note(1, ['p'], 'b');
  expect(await isComplete(engine, sqliteFlavour, 'b', { stamp: '' })).toBe(true);
});
