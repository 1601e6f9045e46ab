import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PasswordHash } from '../src/accounts/password.ts';
import { companyFiles } from '../src/company-files/company-file.ts';
import { findCompanyFiles } from '../src/company-files/find-company-files.ts';
import type { CompanyImport } from '../src/company-files/import-company.ts';
import { plainQuery } from '../src/staff-query.ts';
import type { OpenStore, StaffStore } from '../src/store/staff-store.ts';
import { parse, peopleOf } from '../src/store/suite/store-kit.contract.ts';
import { openTestStore } from './open-test-store.ts';

const scope = { companyKey: 'c1', isAdmin: true, account: 'import', requestId: 'r', operation: 'import' };
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'scheduling-company-'));
});
afterAll(() => rm(root, { recursive: true }));

const newFolder = () => join(root, randomUUID());

/** Opens an empty database with the company c1, which ends with the test. */
async function openCompany(): Promise<OpenStore> {
  const opened = await openTestStore();
  const password = 'scrypt:none' as unknown as PasswordHash;
  await opened.accounts.add({ email: 'a@example.org', password, companyKey: 'c1', isAdmin: true });
  return opened;
}

async function useCompany(): Promise<StaffStore> {
  const { store } = await openCompany();
  onTestFinished(() => store.close());
  return store;
}

/** Imports files by name: CSV text, or a JSON value. */
async function importFiles(
  store: StaffStore,
  files: Readonly<Record<string, unknown>>,
  { isReplacing = false, isDryRun = false } = {},
): Promise<CompanyImport> {
  const folder = newFolder();
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(folder, typeof content === 'string' ? `${name}.csv` : `${name}.json`), text);
  }
  return importFolder(store, folder, { isReplacing, isDryRun });
}

async function importFolder(store: StaffStore, folder: string, { isReplacing = false, isDryRun = false } = {}) {
  const files = await findCompanyFiles(folder);
  return store.importCompany({ scope, files, isReplacing, isDryRun, faultsMax: 20, onProgress: () => {} });
}

const exportTo = (store: StaffStore, folder: string, format: 'csv' | 'json' = 'csv') =>
  store.exportCompany({ companyKey: 'c1', folder, format, onProgress: () => {} });

/** Returns the text of every exported file by name. */
async function readExport(store: StaffStore): Promise<Record<string, string>> {
  const folder = newFolder();
  await exportTo(store, folder);
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, i) => [name.replace('.csv', ''), texts[i] as string]));
}

async function readPeople(store: StaffStore): Promise<Record<string, never>[]> {
  let text = '';
  for await (const slice of (await store.listStaff(scope, plainQuery)).slices()) text += Buffer.from(slice);
  return JSON.parse(`[${text.slice(1)}]`) as Record<string, never>[];
}

const messages = ({ faults }: CompanyImport) =>
  faults.map(({ file, line, column, name }) => [file.split('/').at(-1), line, column, name]);

const company = {
  'tag-categories': 'CategoryName,IsTimeClock\r\nTeam,no\r\nTime Clock,yes\r\n',
  tags: 'CategoryName,TagName\r\nTeam,Gold\r\nTime Clock,Hourly\r\n',
  tasks: [{ TaskKey: 'task-1', TaskName: 'OR 1', TaskAbbrev: 'OR1' }],
  profiles: 'ProfileKey,Name\r\np-1,Provider\r\n',
  locations: 'LocationKey,Name,TimeZone\r\nl-1,Main Hospital,Europe/Zurich\r\n',
  'location-tags': 'LocationKey,CategoryName,TagName\r\nl-1,Team,Gold\r\n',
  'request-limits': 'Key,Name,Type,DailyTotalMaxAllowedMon\r\nlimit-1,Summer leave,DateRange,4\r\n',
  'shift-credits': 'RequestLimitKey,TaskKey,DayOfTheWeek,Credit\r\nlimit-1,task-1,Mon,0.5\r\n',
  staff: "StaffId,FirstName,LastName,ManagerId\r\nN-1,Zoë,O'Neil,N-2\r\nN-2,Łukasz,Nowak,\r\n",
  'staff-tags': 'StaffId,CategoryName,TagName\r\nN-1,Team,Gold\r\nN-1,Time Clock,Hourly\r\n',
  skillset: 'StaffId,TaskKey,IsSkilledMon,MonOccurrence\r\nN-1,task-1,yes,Weekly\r\n',
  'staff-profiles': 'StaffId,ProfileKey\r\nN-1,p-1\r\n',
  'staff-locations': [{ StaffId: 'N-1', LocationKey: 'l-1', IsCredentialed: true, Credentials: [{ Name: 'BLS' }] }],
  'staff-location-tags': 'StaffId,LocationKey,CategoryName,TagName\r\nN-1,l-1,Team,Gold\r\n',
  badges: 'StaffId,BadgeId,BadgeGroup\r\nN-1,100,Main\r\n',
  'pay-modifiers': 'StaffId,PayModifierKey,TaskTagCategory,TaskTagName,PositionId\r\nN-1,pm-1,Team,Gold,POS-1\r\n',
  'pay-modifier-tags': 'StaffId,PayModifierKey,CategoryName,TagName\r\nN-1,pm-1,Team,Gold\r\n',
  'staff-limits': 'StaffId,RequestLimitKey,StaffRequestLimit\r\nN-1,limit-1,3\r\n',
};

describe('importing the files of a company', () => {
  it('fills every operation of a person, and a second import changes nothing', async () => {
    const store = await useCompany();
    const first = await importFiles(store, company);
    expect([first.isWritten, first.faults]).toEqual([true, []]);
    expect(first.files.map(({ added, rows }) => added === rows && rows > 0)).toEqual(companyFiles.map(() => true));
    const people = await readPeople(store);
    const zoe = people.find(({ StaffId }) => StaffId === 'N-1');
    expect(zoe).toMatchObject({ FirstName: 'Zoë', ManagerId: 'N-2', Manager: 'Łukasz Nowak', IsActive: true });
    const key = String(zoe?.StaffKey);
    const [locations, profiles, payModifiers, badges, limits] = await Promise.all([
      store.listLocations(scope, key),
      store.listProfiles(scope, key),
      store.listPayModifiers(scope, key),
      store.listBadges(scope, key),
      store.listRequestLimits(scope, key, ['ShiftsCredit', 'StaffLimits']),
    ]).then((all) => all.map(({ json }) => JSON.parse(json) as unknown));
    expect(locations).toMatchObject([
      {
        Location: { LocationKey: 'l-1', Tags: [{ Tags: [{ Name: 'Gold' }] }] },
        Credentials: [{ Name: 'BLS' }],
        Tags: [{ Tags: [{ Name: 'Gold' }] }],
      },
    ]);
    expect(profiles).toMatchObject([{ Name: 'Provider', IsViewable: true }]);
    expect(payModifiers).toMatchObject([{ PositionId: 'POS-1', PayModifierTagKeys: [{ TagName: 'Gold' }] }]);
    expect(badges).toEqual([{ BadgeId: '100', BadgeGroup: 'Main' }]);
    expect(limits).toMatchObject([{ ShiftCredits: [{ Credit: 0.5 }], StaffLimits: [{ StaffRequestLimit: 3 }] }]);
    const again = await importFiles(store, company);
    expect(again.files.map(({ rows, same }) => rows - same)).toEqual(companyFiles.map(() => 0));
    expect(await readPeople(store)).toEqual(people);
  });

  it('names every invalid row with file, line and column, and writes nothing', async () => {
    const store = await useCompany();
    await importFiles(store, company);
    const before = await readExport(store);
    const outcome = await importFiles(store, {
      tags: 'CategoryName,TagName\nTeam,Silver\nTeem,Blue\nTeam,\nTeam,Silver\n',
      staff: 'StaffId,Fte,StartDate,ManagerId,BgColor\nN-9,half,2026-02-31,,red\nN-1,,,N-3,\nN-2,1,,N-2,\n',
      skillset: [{ StaffId: 'N-1', TaskKey: 'task-2' }, { StaffId: 'N-9', TaskKey: 'task-1' }, 7],
      'pay-modifiers': `StaffId,PayModifierKey,TaskTagCategory,IsPrimaryPosition\nN-1,pm-2,Team,perhaps\nN-1\n`,
      badges: 'StaffId,BadgeId\nN-1,"x\ny',
    });
    expect(outcome.isWritten).toBe(false);
    expect(messages(outcome)).toEqual([
      ['tags.csv', 3, 1, 'CategoryName'],
      ['tags.csv', 4, 2, 'TagName'],
      ['tags.csv', 5, 2, 'TagName'],
      ['staff.csv', 2, 2, 'Fte'],
      ['staff.csv', 2, 3, 'StartDate'],
      ['staff.csv', 2, 5, 'BgColor'],
      ['staff.csv', 3, 4, 'ManagerId'],
      ['staff.csv', 4, 4, 'ManagerId'],
      ['skillset.json', 1, undefined, 'TaskKey'],
      ['skillset.json', 3, undefined, ''],
      ['badges.csv', 2, undefined, ''],
      ['pay-modifiers.csv', 2, undefined, 'TaskTagName'],
      ['pay-modifiers.csv', 2, 4, 'IsPrimaryPosition'],
      ['pay-modifiers.csv', 3, undefined, ''],
    ]);
    for (const { detail } of outcome.faults) expect(detail).toMatch(/^[A-Z].*[.?]$/s);
    expect(await readExport(store)).toEqual(before);
  });

  it('lists the first faults and counts the others', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => `task-${i},`);
    const tasks = `TaskKey,TaskName\n${rows.join('\n')}\n`;
    const { faults, faultCount } = await importFiles(await useCompany(), { tasks });
    expect([faults.length, faultCount]).toEqual([20, 50]);
  });

  it('checks everything and writes nothing in a dry run', async () => {
    const store = await useCompany();
    const outcome = await importFiles(store, company, { isDryRun: true });
    expect([outcome.isWritten, outcome.faultCount, outcome.files[0]?.added]).toEqual([false, 0, 2]);
    expect(await readPeople(store)).toEqual([]);
  });

  it('removes with replace what a file lacks, and nothing of the files that are missing', async () => {
    const store = await useCompany();
    await importFiles(store, company);
    const files = { badges: 'StaffId,BadgeId\nN-2,200\n', skillset: 'StaffId,TaskKey\n' };
    const merged = await importFiles(store, files);
    expect(merged.files.map(({ added, removed }) => [added, removed])).toEqual([
      [0, 0],
      [1, 0],
    ]);
    const replaced = await importFiles(store, files, { isReplacing: true });
    expect(replaced.files.map(({ file, removed }) => [file.split('/').at(-1), removed])).toEqual([
      ['skillset.csv', 1],
      ['badges.csv', 1],
    ]);
    const after = await readExport(store);
    expect(after.badges?.split('\r\n')).toEqual(['StaffId,BadgeId,BadgeGroup', 'N-2,200,', '']);
    expect(after['staff-tags']).toContain('N-1,Team,Gold');
  });

  it('removes people, and rejects the removal of a row that others need', async () => {
    const store = await useCompany();
    await importFiles(store, company);
    const tasks = 'TaskKey,TaskName\ntask-2,OR 2\n';
    const needed = await importFiles(store, { tasks, staff: 'StaffId\nN-1\n' }, { isReplacing: true });
    expect([needed.isWritten, needed.faults.map(({ detail }) => detail)]).toEqual([
      false,
      [
        'The file lacks the task "OR 1", which 1 row of shift-credits use. Add it, or import a shift-credits file without those rows.',
        'The file lacks the task "OR 1", which 1 row of skillset use. Add it, or import a skillset file without those rows.',
        'The file lacks the person "N-2", who is the manager of "N-1". Add the person, or give others another ManagerId.',
      ],
    ]);
    const removed = await importFiles(
      store,
      { tasks, 'shift-credits': 'RequestLimitKey,TaskKey,DayOfTheWeek\n', staff: 'StaffId\nN-2\n' },
      { isReplacing: true },
    );
    expect([removed.faults, removed.files.map((one) => one.removed)]).toEqual([[], [1, 1, 1]]);
    expect((await readPeople(store)).map(({ StaffId }) => StaffId)).toEqual(['N-2']);
    const audit = await store.listAudit('c1', { limit: 1 });
    expect(audit).toMatchObject([{ operation: 'import', changedFields: ['Removed'] }]);
  });

  it('makes a new version of everybody who shows a changed row', async () => {
    const store = await useCompany();
    await importFiles(store, company);
    const versionOf = async () => {
      const people = await readPeople(store);
      return people.map(({ StaffId, LastModifiedDateUtc }) => [StaffId, LastModifiedDateUtc]).sort();
    };
    const before = await versionOf();
    await importFiles(store, { tasks: 'TaskKey,TaskName\ntask-1,Theatre 1\n' });
    const after = await versionOf();
    expect(after.map(([id, version], i) => [id, version === before[i]?.[1]])).toEqual([
      ['N-1', false],
      ['N-2', true],
    ]);
    const { json } = await store.readStaff(scope, String((await readPeople(store))[0]?.StaffKey), plainQuery);
    expect(JSON.parse(json)).toBeDefined();
    expect((await readExport(store)).tasks).toContain('task-1,,Theatre 1,OR1');
  });
});

describe('an exported company', () => {
  /** Returns what the API shows of everybody, without versions, and the text of all files. */
  async function dump(store: StaffStore) {
    const includes = ['Skillset', 'Tags', 'Profiles', 'AvailableProfiles', 'TTCMTags'];
    const people = await peopleOf(await store.listStaff(scope, parse('', includes)));
    const rest = [];
    for (const { StaffKey } of people) {
      const key = String(StaffKey);
      const parts = [
        await store.listLocations(scope, key),
        await store.listPayModifiers(scope, key),
        await store.listBadges(scope, key),
        await store.listRequestLimits(scope, key, ['ShiftsCredit', 'StaffLimits']),
      ];
      rest.push(parts.map(({ json }) => json));
    }
    return {
      people: people.map(({ LastModifiedDateUtc: _, ...person }) => person),
      rest,
      files: await readExport(store),
    };
  }

  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0') && text.isWellFormed()),
    fc.constantFrom(
      '',
      ' ',
      '"',
      '""',
      ',',
      ';',
      '\r\n',
      '\r',
      '\n',
      '=1+1',
      '\ufeffx',
      'null',
      "O'Neil",
      '0.10',
      '王',
    ),
  );

  it.each(['csv', 'json'] as const)('imported as %s into an empty database gives an equal database', async (format) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.tuple(texts, texts, texts), { minLength: 1, maxLength: 6 }),
        async (staff, hostile) => {
          const [from, to] = [await openCompany(), await openCompany()];
          try {
            await from.store.seedDemo({ companyKey: 'c1', companies: 1, staff });
            const staffTexts = hostile.map(([FirstName, Notes, BadgeGroup], i) => ({
              FirstName,
              Notes,
              BadgeGroup,
              i,
            }));
            const disturbed = await importFiles(from.store, {
              staff: staffTexts.map(({ FirstName, Notes, i }) => ({
                ...{ StaffId: `H-${i}${FirstName}`, FirstName, ContactInstructions: Notes, Fte: i / 7 },
              })),
              locations: staffTexts.map(({ Notes, i }) => ({ LocationKey: `h-${i}${Notes}`, Name: Notes, Notes })),
              badges: staffTexts.map(({ FirstName, BadgeGroup, i }) => ({
                ...{ StaffId: `H-${i}${FirstName}`, BadgeId: `b${BadgeGroup}`, BadgeGroup },
              })),
            });
            expect(disturbed.faults).toEqual([]);
            const folder = newFolder();
            await exportTo(from.store, folder, format);
            const { faults, isWritten } = await importFolder(to.store, folder);
            expect([faults, isWritten]).toEqual([[], true]);
            expect(await dump(to.store)).toEqual(await dump(from.store));
          } finally {
            await from.store.close();
            await to.store.close();
          }
        },
      ),
      { numRuns: process.env.TEST_WITH === 'postgres' ? 2 : 5 },
    );
  });
});
