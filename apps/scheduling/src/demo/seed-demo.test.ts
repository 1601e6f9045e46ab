import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { PasswordHash } from '../accounts/password.ts';
import { type CompanyFile, companyFiles } from '../company-files/company-file.ts';
import { findCompanyFiles } from '../company-files/find-company-files.ts';
import { openCompanyRows } from '../company-files/read-company-file.ts';
import type { StaffMember } from '../entity-model.ts';
import { parseStaffQuery } from '../staff-query.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import tasks from './company/tasks.json' with { type: 'json' };
import { demoCompanyKey } from './random.ts';

let people: StaffMember[];
let others: number[];

async function seeded(): Promise<{ all: StaffMember[]; sizes: number[] }> {
  const { store } = await openSqliteStore({ file: ':memory:' });
  await store.seedDemo({ companyKey: 'demo' });
  const query = parseStaffQuery('$expand=Tags,Skillset', { clock: Date.now });
  const found = await store.listStaff({ companyKey: 'demo', isAdmin: true }, query);
  const slices: string[] = [];
  for await (const slice of found.slices()) slices.push(Buffer.from(slice).toString());
  const sizes: number[] = [];
  for (let n = 1; n < 12; n++) {
    sizes.push((await store.listStaff({ companyKey: demoCompanyKey(n), isAdmin: true }, query)).size);
  }
  await store.close();
  return { all: JSON.parse(`[${slices.join('').slice(1)}]`), sizes };
}

beforeAll(async () => {
  const { all, sizes } = await seeded();
  people = all;
  others = sizes;
});

test('creates 1,000 people in the demo company and 25 in each of eleven others', () => {
  expect(people).toHaveLength(1000);
  expect(others).toEqual(new Array(11).fill(25));
});

test('creates the same people every time', async () => {
  expect((await seeded()).all).toEqual(people);
});

test('creates the people of earlier versions in the first company, with the keys of the files', () => {
  const found = [people[0], people.at(-1)].map((one) => [one?.StaffKey, one?.StaffId, one?.LastName]);
  expect(found).toEqual([
    ['00075029-d7b1-4747-b947-4185d8b0ac6a', 'S-1722', 'Dvořák'],
    ['ffd15c63-5164-44c2-be4c-eaa9a6420de3', 'S-1370', 'Horváth'],
  ]);
  const keys = people.flatMap((person) => person.Skillset?.map(({ TaskKey }) => TaskKey) ?? []);
  expect(new Set(keys)).toEqual(new Set(tasks.map(({ TaskKey }) => TaskKey)));
});

test('gives every other company GUIDs of its own, and the other keys of the files', async () => {
  const { store } = await openSqliteStore({ file: ':memory:' });
  await store.seedDemo({ companyKeys: ['a', 'b'], companies: 2, staff: 1, otherStaff: 1 });
  const file = companyFiles.find(({ name }) => name === 'tasks') as CompanyFile;
  const keysOf = async (companyKey: string): Promise<string[]> => {
    const { text } = await store.exportCatalogue({ companyKey, file, format: 'json', bytesMax: 1_000_000 });
    return JSON.parse(text).map(({ TaskKey }: { TaskKey: string }) => TaskKey);
  };
  const [first, second] = [await keysOf('a'), await keysOf('b')];
  await store.close();
  expect(first).toEqual(tasks.map(({ TaskKey }) => TaskKey));
  expect(second).toHaveLength(first.length);
  expect(first.filter((key) => second.includes(key))).toEqual(['task-5', 'task-10']);
});

test('the files of the demo company are a folder to import', async () => {
  const { store, accounts } = await openSqliteStore({ file: ':memory:' });
  const password = 'scrypt:none' as unknown as PasswordHash;
  await accounts.add({ email: 'a@example.org', password, companyKey: 'c1', isAdmin: true });
  const { files, faults } = await store.importCompany({
    scope: { companyKey: 'c1', isAdmin: true, account: 'import', requestId: 'r', operation: 'import' },
    files: await findCompanyFiles(join(import.meta.dirname, 'company')),
    ...{ isReplacing: false, isDryRun: false, faultsMax: 20, onProgress: () => {} },
  });
  await store.close();
  expect([faults, files.map(({ rows, added }) => rows - added)]).toEqual([[], new Array(8).fill(0)]);
});

test('gives everybody a tag', () => {
  expect(people.filter((person) => (person.Tags?.length ?? 0) === 0)).toEqual([]);
});

test.each([
  ['skill', (person: StaffMember) => person.Skillset?.length === 0],
  ['Npi', (person: StaffMember) => person.Npi === null],
  ['StartDate', (person: StaffMember) => person.StartDate === null],
])('leaves about one in twenty without a %s', (_, lacks) => {
  const count = people.filter(lacks).length;
  expect(count).toBeGreaterThan(25);
  expect(count).toBeLessThan(80);
});

test('contains names that break careless code', () => {
  const names = new Set(people.flatMap((person) => [person.FirstName, person.LastName]));
  for (const name of ["O'Neil", 'Zoë', 'Łukasz', 'Núñez', '李']) expect(names).toContain(name);
});

test('has mostly GUIDs as keys, and some other keys', () => {
  const others = people.filter((person) => !/^[0-9a-f-]{36}$/.test(String(person.StaffKey)));
  expect(others.length).toBeGreaterThan(20);
  expect(others.length).toBeLessThan(100);
  expect(others.some((person) => person.StaffKey?.includes('_'))).toBe(true);
});

test('creates only reserved e-mail addresses', () => {
  for (const { Email, MobilePhone } of people) {
    if (Email !== null) expect(Email).toMatch(/^[a-z0-9]+\.[a-z0-9]+\.\d+@[a-z0-9]+\.example$/);
    if (MobilePhone !== null) expect(MobilePhone).toMatch(/ 555 01\d\d$/);
  }
});

test('gives everybody exactly the requested number of tags and skills, independent of other companies', async () => {
  const readAll = async (options: { companies: number; companyKeys: string[] }) => {
    const { store } = await openSqliteStore({ file: ':memory:' });
    await store.seedDemo({ ...options, staff: 3, otherStaff: 1_100, tags: 5, skills: 4 });
    const query = parseStaffQuery('$expand=Tags,Skillset', { clock: Date.now });
    const list = await store.listStaff({ companyKey: 'b', isAdmin: true }, query);
    const slices: string[] = [];
    for await (const slice of list.slices()) slices.push(Buffer.from(slice).toString());
    await store.close();
    return JSON.parse(`[${slices.join('').slice(1)}]`) as StaffMember[];
  };
  const found = await readAll({ companies: 2, companyKeys: ['a', 'b'] });
  expect(found).toHaveLength(1_100);
  const countTags = (person: StaffMember) => person.Tags?.flatMap((category) => category.Tags ?? []).length;
  expect(new Set(found.map(countTags))).toEqual(new Set([5]));
  expect(new Set(found.map((person) => person.Skillset?.length))).toEqual(new Set([4]));
});

test('leaves an existing company unchanged, and reports progress', async () => {
  const { store } = await openSqliteStore({ file: ':memory:' });
  const progress: string[] = [];
  const onProgress = (done: number, all: number) => void progress.push(`${done}/${all}`);
  expect(await store.seedDemo({ companies: 2, staff: 4, otherStaff: 2 })).toBe(6);
  expect(await store.seedDemo({ companies: 3, staff: 4, otherStaff: 2, onProgress })).toBe(2);
  expect(progress.at(-1)).toBe('8/8');
  await store.close();
});

test('adds nothing to a company whose people were removed', async () => {
  const { store } = await openSqliteStore({ file: ':memory:' });
  await store.seedDemo({ companyKeys: ['a'], companies: 1, staff: 2, otherStaff: 0 });
  const scope = { companyKey: 'a', isAdmin: true, account: 'x', requestId: 'x', operation: 'x' };
  const clear = async (...names: string[]) => {
    const files = companyFiles
      .filter(({ name }) => names.includes(name))
      .map((file) => ({ file, name: file.name, isJson: true, open: () => openCompanyRows([], file) }));
    const options = { isReplacing: true, isDryRun: false, faultsMax: 20, onProgress: () => {} };
    expect((await store.importCompany({ scope, files, ...options })).isWritten).toBe(true);
  };
  const everything = companyFiles.map(({ name }) => name);
  await clear(...everything);
  expect(await store.seedDemo({ companyKeys: ['a'], companies: 1, staff: 2, otherStaff: 0 })).toBe(0);
  await store.close();
});
