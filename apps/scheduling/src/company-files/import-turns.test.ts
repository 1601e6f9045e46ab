import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { migrate } from '../store/migrate.ts';
import { createNodeSqliteDialect } from '../store/node-sqlite-dialect.ts';
import { numberText, numberTextFunction, sqliteColumnTypes, sqliteFlavour } from '../store/sqlite-flavour.ts';
import type { Tables } from '../store/tables.ts';
import { type CompanyFile, companyFiles } from './company-file.ts';
import { importWithin } from './import-company.ts';
import { openCompanyRows } from './read-company-file.ts';

const scope = { companyKey: 'c1', isAdmin: true, account: 'a', requestId: 'r', operation: 'o' };

it('lets other requests run after every few statements', async () => {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  database.function(numberTextFunction, (value) => numberText(value as number | null));
  let [statements, longest] = [0, 0];
  const db = new Kysely<Tables>({
    dialect: createNodeSqliteDialect(database),
    log: () => {
      statements++;
    },
  });
  await migrate(db as unknown as Kysely<unknown>, sqliteColumnTypes);
  await db.insertInto('companies').values({ CompanyKey: 'c1', Name: 'One' }).execute();
  const pause = async () => {
    longest = Math.max(longest, statements);
    statements = 0;
  };

  /** Imports one file, and returns the highest number of statements without a pause. */
  async function statementsAtOnce(name: string, rows: readonly unknown[], isReplacing = false): Promise<number> {
    const file = companyFiles.find((one) => one.name === name) as CompanyFile;
    [statements, longest] = [0, 0];
    const { isWritten } = await db.transaction().execute((trx) =>
      importWithin(
        trx,
        { flavour: sqliteFlavour, clock: Date.now, newKey: randomUUID, pause },
        {
          ...{ scope, isReplacing, isDryRun: false, faultsMax: 20, onProgress: () => {} },
          files: [{ file, name, isJson: true, open: () => openCompanyRows(rows, file) }],
        },
      ),
    );
    expect(isWritten).toBe(true);
    await pause();
    return longest;
  }

  const people = Array.from({ length: 4_500 }, (_, i) => ({ StaffId: `N-${i}` }));
  const found = {
    people: await statementsAtOnce('staff', people),
    task: await statementsAtOnce('tasks', [{ TaskKey: 't', TaskName: 'One' }]),
    skills: await statementsAtOnce(
      'skillset',
      people.map(({ StaffId }) => ({ StaffId, TaskKey: 't' })),
    ),
    renamedTask: await statementsAtOnce('tasks', [{ TaskKey: 't', TaskName: 'Two' }]),
    managers: await statementsAtOnce(
      'staff',
      people.map(({ StaffId }, i) => ({ StaffId, ManagerId: i === 0 ? null : 'N-0' })),
    ),
    removal: await statementsAtOnce('staff', [], true),
  };
  expect(Object.entries(found).filter(([, count]) => count > 8)).toEqual([]);
  await db.destroy();
});
