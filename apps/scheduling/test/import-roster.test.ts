import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PasswordHash } from '../src/accounts/password.ts';
import { checkRoster } from '../src/roster-import/check-roster.ts';
import { openCsv } from '../src/roster-import/csv-rows.ts';
import { importRoster } from '../src/roster-import/import-roster.ts';
import { plainQuery } from '../src/staff-query.ts';
import type { StaffStore } from '../src/store/staff-store.ts';
import { openTestStore } from './open-test-store.ts';

const scope = { companyKey: 'c1', isAdmin: true, account: 'import', requestId: 'r', operation: 'import' };

interface Person {
  readonly StaffKey: string;
  readonly StaffId: string;
  readonly ManagerId: string | null;
  readonly City: string | null;
}

describe('importing a roster', () => {
  let store: StaffStore;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scheduling-roster-'));
    ({ store } = await openTestStore());
    await store.seedDemo({ companyKey: 'c1', companies: 1, staff: 3 });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  /** Returns the rows that pass the check, before anything is written. */
  async function prepare(...rows: readonly string[]) {
    const path = join(folder, 'roster.csv');
    await writeFile(path, `${rows.join('\n')}\n`);
    const file = await openCsv(path);
    const { roster } = store;
    const checked = await checkRoster({ file, roster, scope, createsTags: false, onProgress: () => {} });
    expect(checked.faults).toEqual([]);
    return (onProgress: () => void = () => {}) =>
      importRoster({ file, roster, scope, checked, onProgress, wait: async () => {} });
  }

  async function readPeople(): Promise<ReadonlyMap<string, Person>> {
    let text = '';
    for await (const slice of (await store.listStaff(scope, plainQuery)).slices()) text += Buffer.from(slice);
    const people = JSON.parse(`[${text.slice(1)}]`) as Person[];
    return new Map(people.map((person) => [person.StaffId, person]));
  }

  it('leaves no person without a manager when it is interrupted, and completes when it is repeated', async () => {
    const ids = Array.from({ length: 600 }, (_, i) => `P-${i}`);
    const before = await prepare('StaffId,ManagerId', ...ids.slice(0, 300).map((id) => `${id},S-1001`));
    expect(await before()).toMatchObject({ added: 300, faults: [] });
    // Every manager comes later in the file, and half of the people get a new manager.
    const chain = ids.map((id, i) => `${id},${ids[i + 1] ?? 'S-1002'}`);
    let ends = 1;
    for (let isDone = false; !isDone; ends++) {
      const again = await prepare('StaffId,ManagerId', ...chain);
      let calls = 0;
      await again(() => {
        if (++calls === ends) throw new Error('interrupted');
      }).then(
        () => {
          isDone = true;
        },
        (error: Error) => expect(error.message).toBe('interrupted'),
      );
      const people = [...(await readPeople()).values()].filter(({ StaffId }) => StaffId.startsWith('P-'));
      expect(people.filter(({ ManagerId }) => ManagerId === null)).toEqual([]);
    }
    expect(ends).toBeGreaterThan(3);
    const people = await readPeople();
    expect(ids.map((id) => people.get(id)?.ManagerId)).toEqual([...ids.slice(1), 'S-1002']);
  });

  it('reverses a hierarchy', async () => {
    await (await prepare('StaffId,ManagerId', 'A,', 'B,A', 'C,B'))();
    const people = await readPeople();
    await store.setManager(scope, String(people.get('A')?.StaffKey), { ManagerId: 'S-1001' });
    const counts = await (await prepare('StaffId,ManagerId', 'A,B', 'B,C', 'C,S-1001'))();
    expect(counts).toEqual({ added: 0, changed: 3, same: 0, faults: [] });
    const after = await readPeople();
    expect(['A', 'B', 'C'].map((id) => after.get(id)?.ManagerId)).toEqual(['B', 'C', 'S-1001']);
  });

  it('reports rows that a concurrent change invalidated, and leaves their people unchanged', async () => {
    await (await prepare('StaffId,ManagerId,EndDate', 'BOSS,,', 'A,S-1001,', 'B,S-1001,'))();
    const begin = await prepare('StaffId,ManagerId,City,StartDate', 'A,BOSS,Bern,', 'N,BOSS,,', 'B,,,2026-02-01');
    const keyOf = async (id: string) => String((await readPeople()).get(id)?.StaffKey);
    await store.updateStaff(scope, await keyOf('BOSS'), { StaffId: 'CHIEF' });
    await store.updateStaff(scope, await keyOf('B'), { EndDate: '2026-01-01' });
    const { faults, ...counts } = await begin();
    expect(counts).toEqual({ added: 0, changed: 1, same: 0 });
    expect(faults.map(({ line, column, name }) => [line, column, name])).toEqual([
      [2, 2, 'ManagerId'],
      [3, 2, 'ManagerId'],
      [4, 4, 'StartDate'],
    ]);
    const people = await readPeople();
    expect(people.get('A')).toMatchObject({ ManagerId: 'S-1001', City: 'Bern' });
    expect(people.has('N')).toBe(false);
  });
});

it('ends the delta links of another database when it adds the first people of a company', async () => {
  const { store, accounts } = await openTestStore();
  onTestFinished(() => store.close());
  const password = 'scrypt:none' as unknown as PasswordHash;
  await accounts.add({ email: 'a@example.org', password, companyKey: 'c1', isAdmin: true });
  await store.roster.put(scope, [{ body: { StaffId: 'N-1' }, tags: [], profileRows: [] }]);
  const read = (stamp: string) => store.listChanges(scope, plainQuery, { after: { stamp }, top: 9 });
  await expect(read('2000-01-01T00:00:00')).rejects.toMatchObject({ code: 'changes_gone' });
  const { until = '' } = await store.listStaff(scope, { ...plainQuery, modifiedSince: {} }, {});
  await store.roster.put(scope, [{ body: { StaffId: 'N-2' }, tags: [], profileRows: [] }]);
  expect((await read(until)).size).toBe(1);
});
