import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEndings } from '../../at-end.ts';
import { startScheduling } from '../../scheduling-process.ts';
import { makeOwnFolder, type OwnFolder } from './own-folder.ts';

const password = 'a horse and a battery';
const email = 'admin@example.org';

async function makeCompany(options: Parameters<typeof makeOwnFolder>[0] = {}): Promise<OwnFolder> {
  const own = await makeOwnFolder(options);
  await own.runJson(['seed', '--companies', '1', '--staff', '3', '--company-key', 'c1']);
  return own;
}

/** Returns the people of the API by StaffId. */
async function readPeople({ database, run }: OwnFolder) {
  await run(['accounts', 'add', email, '--company', 'c1', '--admin', '--password-stdin'], password);
  const server = await startScheduling({ database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  const { body } = await server.call('/v2/login', { method: 'POST', json: { email, password } });
  const headers = { Authorization: `Bearer ${body.access_token}` };
  const path = '/v2/staffmember?companyKey=c1&$expand=Tags,Profiles';
  const people = (await server.call(path, { headers })).body as Record<string, never>[];
  await server.stop();
  return new Map(people.map((person) => [String(person.StaffId), person]));
}

/** Returns the text of every file of a folder by name. */
async function readFolder(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, i) => [name, texts[i] as string]));
}

test('command import: adds and changes people with managers, tags and profiles; a second import changes nothing', async () => {
  const own = await makeCompany();
  const roster =
    '\ufeffSTAFFID;firstName;LastName;Fte;IsActive;StartDate;ManagerId;Tags;Profiles\r\n' +
    'N-1;"Zoë ""Z""";"O\'Neil\r\nJr.";0,8;no;2026-01-31;N-2;"Team: Gold; Ward: 7";Provider\r\n\r\n' +
    'N-2;Łukasz;王;1;yes;;S-1001;;\r\n' +
    'S-1002;Renamed;;;;;N-1;;\r\n';
  await own.write('roster.csv', roster);
  const rejected = await own.run(['import', 'roster.csv', '--company', 'c1']);
  expect([rejected.exitCode, rejected.stderr]).toEqual([1, expect.stringContaining('--create-tags')]);
  const dry = await own.runJson(['import', 'roster.csv', '--company', 'c1', '--create-tags', '--dry-run']);
  expect(dry).toMatchObject({ rows: 3, bad: 0, added: 2, changed: 1, is_written: false, faults: [] });
  const done = await own.runJson(['import', 'roster.csv', '--company', 'c1', '--create-tags']);
  expect(done).toMatchObject({ rows: 3, added: 2, changed: 1, same: 0, is_written: true });
  expect(done.new_tags).toEqual([{ category: 'Ward', name: '7' }]);
  const audit = await own.runJson(['audit', 'list', '--account', 'import']);
  expect(new Set(audit.map(({ request_id }: { request_id: string }) => request_id))).toEqual(
    new Set([done.request_id]),
  );
  const again = await own.runJson(['import', '-', '--company', 'c1'], roster);
  expect(again).toMatchObject({ added: 0, changed: 0, same: 3 });
  expect(await own.runJson(['audit', 'list', '--account', 'import'])).toHaveLength(audit.length);

  const people = await readPeople(own);
  expect(people.size).toBe(5);
  expect(people.get('N-1')).toMatchObject({
    ...{ FirstName: 'Zoë "Z"', LastName: "O'Neil\nJr.", Fte: 0.8, IsActive: false, StartDate: '2026-01-31T00:00:00' },
    ...{ ManagerId: 'N-2', Manager: 'Łukasz 王', Profiles: [{ Name: 'Provider', IsViewable: true }] },
    Tags: [
      { CategoryName: 'Team', Tags: [{ Name: 'Gold' }] },
      { CategoryName: 'Ward', Tags: [{ Name: '7' }] },
    ],
  });
  expect(people.get('S-1002')).toMatchObject({ FirstName: 'Renamed', ManagerId: 'N-1' });
});

test('command import: reports every invalid row with line and column and writes nothing, with --skip-bad only the valid rows', async () => {
  const own = await makeCompany();
  const rows = [
    'StaffId,Fte,IsActive,StartDate,ManagerId,StaffInternalId,TimeClockKioskPIN',
    'A,half,yes,,,,',
    'B,1,maybe,2026-02-30,,,',
    'C,1,yes,2026-02-30,,,',
    'D,1,yes,,nobody,,',
    'E,1,yes,,F,,',
    'F,1,yes,,E,,',
    `G,1,yes,,,${'x'.repeat(51)},4711`,
    'H,1',
    ',1,yes,,,,',
    'I,1,yes,,,,',
    'I,1,yes,,,,',
    'J,1,yes,,A,,',
  ];
  await own.write('roster.csv', rows.join('\n'));
  const rejected = await own.run(['import', 'roster.csv', '--company', 'c1', '--json']);
  const report = JSON.parse(rejected.stdout);
  expect([rejected.exitCode, report.is_written, report.bad]).toEqual([1, false, 11]);
  const places = report.faults.map((fault: { line: number; column: number; field: string }) => [
    fault.line,
    fault.column,
    fault.field,
  ]);
  expect(places).toEqual([
    [2, 2, 'Fte'],
    [3, 3, 'IsActive'],
    [4, 4, 'StartDate'],
    [5, 5, 'ManagerId'],
    [6, 5, 'ManagerId'],
    [7, 5, 'ManagerId'],
    [8, 6, 'StaffInternalId'],
    [9, 1, ''],
    [10, 1, 'StaffId'],
    [12, 1, 'StaffId'],
    [13, 5, 'ManagerId'],
  ]);
  expect(rejected.stdout).not.toContain('4711');
  expect((await own.runJson(['audit', 'list'])).length).toBe(0);
  const done = await own.runJson(['import', 'roster.csv', '--company', 'c1', '--skip-bad']);
  expect(done).toMatchObject({ rows: 12, bad: 11, added: 1, is_written: true });
  const text = await own.run(['import', 'roster.csv', '--company', 'c1', '--dry-run']);
  expect(text.stderr).toContain('roster.csv:2, column 2  Fte: It must be a number, such as 0.8. Given: "half".');
});

const { atEnd, end } = createEndings();
afterAll(end);
let unchanged: Promise<OwnFolder> | undefined;

test.each([
  ['an unknown column', 'StaffId,Ctiy\nA,x', 'Did you mean City?'],
  ['a column of answers', 'StaffId,StaffKey\nA,x', 'cannot be imported'],
  ['no StaffId', 'FirstName\nA', 'StaffId included'],
  ['a quote that is never closed', 'StaffId,City\nA,"x\nB,y\n', 'roster.csv:2  A quote is opened'],
  ['another encoding', Buffer.from('StaffId,City\nA,Z\xfcrich', 'latin1'), 'not UTF-8'],
  ['UTF-16', Buffer.from('StaffId,City\nA,B', 'utf16le'), 'not UTF-8 text'],
  ['nothing', '', 'The file is empty'],
])('command import: rejects %s in one line with a remedy', async (_, content, message) => {
  unchanged ??= makeCompany({ atEnd });
  const own = await unchanged;
  await own.write('roster.csv', content as string);
  const { exitCode, stdout, stderr } = await own.run(['import', 'roster.csv', '--company', 'c1']);
  expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
  expect(stderr.split('\n').length).toBeLessThan(5);
});

test('command import: rejects members that the contract forbids anywhere in the file, and writes nothing', async () => {
  const own = await makeCompany();
  const filler = Array.from({ length: 1_600 }, (_, i) => `N-${i},Ada,${'x'.repeat(60)},1,`);
  const rows = [
    'StaffId,FirstName,City,Fte,Tags',
    ...filler,
    'Z-1,A\0da,Bern,1,',
    `Z-2,Ada,Bern,${'9'.repeat(400)},`,
    `Z-3,Ada,Bern,1,"${'c'.repeat(41)}: Gold"`,
    `Z-4,Ada,Bern,1,"Team: ${'n'.repeat(41)}"`,
    'Z-5,Ada,Bern,1,"Team: a\0"',
    'Z-6,Ada,Bern,-1e999,',
  ];
  await own.write('roster.csv', rows.join('\n'));
  const rejected = await own.run(['import', 'roster.csv', '--company', 'c1', '--create-tags', '--json']);
  const report = JSON.parse(rejected.stdout);
  const places = report.faults.map((fault: { line: number; field: string }) => `${fault.line} ${fault.field}`);
  expect([rejected.exitCode, report.is_written, places]).toEqual([
    ...[1, false],
    ['1602 FirstName', '1603 Fte', '1604 Tags', '1605 Tags', '1606 Tags', '1607 Fte'],
  ]);
  expect(await own.runJson(['audit', 'list'])).toEqual([]);
  const done = await own.runJson(['import', 'roster.csv', '--company', 'c1', '--create-tags', '--skip-bad']);
  expect(done).toMatchObject({ added: 1_600, bad: 6, new_tags: [] });
  expect((await readPeople(own)).size).toBe(1_603);
});

test('command import: runs beside a server that reads and writes', async () => {
  const own = await makeCompany();
  await own.run(['accounts', 'add', email, '--company', 'c1', '--admin', '--password-stdin'], password);
  const rows = Array.from({ length: 3_000 }, (_, i) => `N-${i},Ada,Lovelace ${i}`);
  await own.write('roster.csv', `StaffId,FirstName,LastName\n${rows.join('\n')}\n`);
  const server = await startScheduling({ database: own.database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  const { body } = await server.call('/v2/login', { method: 'POST', json: { email, password } });
  const headers = { Authorization: `Bearer ${body.access_token}` };
  let isDone = false;
  const importing = own.runJson(['import', 'roster.csv', '--company', 'c1']).finally(() => {
    isDone = true;
  });
  const statuses: number[] = [];
  while (!isDone) {
    const json = { StaffId: `W-${statuses.length}` };
    statuses.push((await server.call('/v2/staffmember', { method: 'POST', json, headers })).status);
  }
  await server.stop();
  expect(await importing).toMatchObject({ added: 3_000 });
  expect(new Set(statuses)).toEqual(new Set([201]));
});

test('command export: writes a folder that import reads into another database, merged or replaced', async () => {
  const own = await makeCompany();
  const { files } = await own.runJson(['export', 'company.d', '--company', 'c1']);
  expect(files.map(({ path }: { path: string }) => path)).toContain('company.d/pay-modifiers.csv');
  const taken = await own.run(['export', 'company.d', '--company', 'c1']);
  expect([taken.exitCode, taken.stderr]).toEqual([3, expect.stringContaining('Export into another folder')]);
  await own.runJson(['export', 'json.d', '--company', 'c1', '--format', 'json']);

  const other = await makeOwnFolder();
  await other.run(['accounts', 'add', email, '--company', 'c1', '--admin', '--password-stdin'], password);
  const json = join(own.folder, 'json.d');
  expect(await other.runJson(['import', json, '--company', 'c1'])).toMatchObject({ mode: 'merge', is_written: true });
  await other.runJson(['export', 'company.d', '--company', 'c1']);
  const [before, after] = await Promise.all([own, other].map(({ folder }) => readFolder(join(folder, 'company.d'))));
  expect(after).toEqual(before);

  const badges = join(other.folder, 'badges.d');
  await mkdir(badges);
  await other.write('badges.d/badges.csv', 'StaffId,BadgeId\nS-1001,7\nS-9999,8\n');
  const rejected = await other.run(['import', badges, '--company', 'c1', '--replace']);
  expect([rejected.exitCode, rejected.stderr]).toEqual([
    1,
    expect.stringMatching(/badges\.csv:3, column 1 {2}StaffId: /),
  ]);
  await other.write('badges.d/badges.csv', 'StaffId,BadgeId\nS-1001,7\n');
  const dry = await other.runJson(['import', badges, '--company', 'c1', '--replace', '--dry-run']);
  expect(dry).toMatchObject({ is_written: false, is_dry_run: true, files: [{ added: 1 }] });
  expect(dry.files[0].removed).toBeGreaterThan(0);
  const replaced = await other.runJson(['import', badges, '--company', 'c1', '--replace']);
  expect(replaced).toMatchObject({ mode: 'replace', is_written: true, files: dry.files });
});

test('command import: rejects options that do not fit the path, and a folder without files of the format', async () => {
  unchanged ??= makeCompany({ atEnd });
  const own = await unchanged;
  await mkdir(join(own.folder, 'empty.d'), { recursive: true });
  await mkdir(join(own.folder, 'wrong.d'), { recursive: true });
  await own.write('wrong.d/tag.csv', 'CategoryName,TagName\n');
  await own.write('people.csv', 'StaffId\nN-1\n');
  for (const [args, exitCode, message] of [
    [['people.csv', '--replace'], 2, 'need a folder'],
    [['empty.d', '--skip-bad'], 2, 'completely or not at all'],
    [['empty.d', '--create-tags'], 2, 'tags.csv'],
    [['empty.d', '--merge', '--replace'], 2, 'exclude each other'],
    [['empty.d'], 1, 'no file to import'],
    [['wrong.d'], 1, 'Did you mean tags?'],
  ] as const) {
    const outcome = await own.run(['import', ...args, '--company', 'c1']);
    expect([args, outcome.exitCode, outcome.stderr]).toEqual([args, exitCode, expect.stringContaining(message)]);
  }
});
