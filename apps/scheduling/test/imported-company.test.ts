import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schedulingDocument } from '@rostergate/staff-spec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyFiles } from '../src/company-files/company-file.ts';
import { findCompanyFiles } from '../src/company-files/find-company-files.ts';
import { companyKey, type RunningApp, startApp } from './running-app.ts';

const files: Readonly<Record<string, string>> = {
  'tag-categories': 'CategoryName,IsTimeClock\nImported,no\n',
  tags: 'CategoryName,TagName\nImported,Gold\nImported,Silver\n',
  tasks: 'TaskKey,TaskName\nimported-task-1,OR 1\nimported-task-2,OR 2\n',
  profiles: 'ProfileKey,Name\nimported-profile-1,Imported 1\nimported-profile-2,Imported 2\n',
  locations: 'LocationKey,Name\nimported-location,Imported hospital\n',
  'location-tags': 'LocationKey,CategoryName,TagName\nimported-location,Imported,Gold\n',
  'request-limits': 'Key,Name\nimported-limit,Imported limit\n',
  'shift-credits': 'RequestLimitKey,TaskKey,DayOfTheWeek,Credit\nimported-limit,imported-task-1,Mon,0.5\n',
  staff: 'StaffId,StaffKey,FirstName,StaffTypeKey,ManagerId\nI-1,imported-1,Zoë,Physician,I-2\nI-2,imported-2,Ada,,\n',
  'staff-tags': 'StaffId,CategoryName,TagName\nI-1,Imported,Gold\n',
  skillset: 'StaffId,TaskKey,IsSkilledMon\nI-1,imported-task-1,yes\n',
  'staff-profiles': 'StaffId,ProfileKey\nI-1,imported-profile-1\n',
  'staff-locations': 'StaffId,LocationKey\nI-1,imported-location\n',
  'staff-location-tags': 'StaffId,LocationKey,CategoryName,TagName\nI-1,imported-location,Imported,Gold\n',
  badges: 'StaffId,BadgeId\nI-1,imported-badge\n',
  'pay-modifiers': 'StaffId,PayModifierKey,PositionId\nI-1,imported-pm-1,POS-1\nI-1,imported-pm-2,POS-2\n',
  'pay-modifier-tags': 'StaffId,PayModifierKey,CategoryName,TagName\nI-1,imported-pm-1,Imported,Gold\n',
  'staff-limits': 'StaffId,RequestLimitKey,StaffRequestLimit\nI-1,imported-limit,3\n',
};

let app: RunningApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scheduling-imported-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.csv`), text);
  app = await startApp();
  const { faults, isWritten } = await app.store.importCompany({
    scope: { companyKey, isAdmin: true, account: 'import', requestId: 'r', operation: 'import' },
    ...{ files: await findCompanyFiles(folder), isReplacing: false, isDryRun: false, faultsMax: 20 },
    onProgress: () => {},
  });
  expect([faults, isWritten]).toEqual([[], true]);
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

const person = '/imported-1';
const imported = (Name: string) => [{ CategoryName: 'Imported', Tags: [expect.objectContaining({ Name })] }];
const skill = { TaskKey: 'imported-task-1', TaskName: 'OR 1', IsSkilledMon: true };
const profile = { ProfileKey: 'imported-profile-1', Name: 'Imported 1', IsViewable: true };

interface Operation {
  readonly id: string;
  /** A path is below `/v2/staffmember`, unless it begins with `/v2/`. */
  readonly call: readonly [method: string, path: string, json?: unknown];
  readonly status?: number;
  /** What the response has of the imported rows. */
  readonly want: unknown;
}

/** Reads come first, because the writes change what they read. */
const operations: readonly Operation[] = [
  {
    id: 'listStaffMembers',
    call: ['GET', `?companyKey=${companyKey}&$filter=StaffId eq 'I-1'&includes=Tags,Skillset,Profiles`],
    want: [{ StaffTypeKey: 'Physician', Tags: imported('Gold'), Skillset: [skill], Profiles: [profile] }],
  },
  {
    id: 'countStaffMembers',
    call: ['GET', `/$count?companyKey=${companyKey}&$filter=StaffId eq 'I-1'`],
    want: '1',
  },
  {
    id: 'getStaffMember',
    call: ['GET', `${person}?includes=Tags,Skillset,Profiles,BadgeIds`],
    want: {
      ...{ FirstName: 'Zoë', StaffTypeKey: 'Physician', ManagerId: 'I-2', Tags: imported('Gold') },
      ...{ Skillset: [skill], Profiles: [profile], BadgeIds: [{ BadgeId: 'imported-badge' }] },
    },
  },
  {
    id: 'listODataStaffMembers',
    call: ['GET', "/v2/StaffMembers?$filter=StaffId eq 'I-1'&$expand=Tags,Skillset,Profiles"],
    want: { value: [{ FirstName: 'Zoë', Tags: imported('Gold'), Skillset: [skill], Profiles: [profile] }] },
  },
  { id: 'countODataStaffMembers', call: ['GET', "/v2/StaffMembers/$count?$filter=StaffId eq 'I-1'"], want: '1' },
  {
    id: 'getODataStaffMember',
    call: ['GET', "/v2/StaffMembers('imported-1')?$expand=Tags,Skillset,Profiles"],
    want: { FirstName: 'Zoë', Tags: imported('Gold'), Skillset: [skill], Profiles: [profile] },
  },
  {
    id: 'listStaffLocations',
    call: ['GET', `${person}/location`],
    want: [{ Location: { LocationKey: 'imported-location', Tags: imported('Gold') }, Tags: imported('Gold') }],
  },
  { id: 'listStaffProfiles', call: ['GET', `${person}/profile`], want: [profile] },
  { id: 'listBadgeIds', call: ['GET', `${person}/badgeId`], want: [{ BadgeId: 'imported-badge' }] },
  {
    id: 'listRequestLimits',
    call: ['GET', `${person}/requestlimit?includes=ShiftsCredit,StaffLimits`],
    want: [
      {
        Key: 'imported-limit',
        ShiftCredits: [{ TaskKey: 'imported-task-1', Credit: 0.5 }],
        StaffLimits: [{ StaffId: 'I-1', StaffRequestLimit: 3 }],
      },
    ],
  },
  {
    id: 'listPayModifiers',
    call: ['GET', `${person}/payModifier`],
    want: [
      { PayModifierKey: 'imported-pm-1', PayModifierTagKeys: [{ TagName: 'Gold' }] },
      { PayModifierKey: 'imported-pm-2', PositionId: 'POS-2' },
    ],
  },
  {
    id: 'createStaffMember',
    call: ['POST', '', { StaffId: 'I-1', City: 'Bern', UpdateIfExisting: true }],
    status: 200,
    want: { StaffKey: 'imported-1', FirstName: 'Zoë', City: 'Bern' },
  },
  { id: 'updateStaffMember', call: ['PUT', person, { City: 'Basel' }], want: { FirstName: 'Zoë', City: 'Basel' } },
  {
    id: 'setStaffManager',
    call: ['POST', `${person}/manager`, { ManagerKey: 'imported-2' }],
    want: { ManagerId: 'I-2', Manager: expect.stringContaining('Ada') },
  },
  {
    id: 'addStaffTag',
    call: ['POST', `${person}/tag`, { category: 'Imported', name: 'Silver' }],
    status: 201,
    want: { CategoryName: 'Imported', Tags: [{ Name: 'Gold' }, { Name: 'Silver' }] },
  },
  {
    id: 'addStaffLocationTag',
    call: ['PUT', `${person}/location/imported-location/tag`, { categoryName: 'Imported', tagName: 'Silver' }],
    want: { Location: { LocationKey: 'imported-location' }, Tags: imported('Silver') },
  },
  {
    id: 'setStaffSkillset',
    call: ['PUT', `${person}/skillset/imported-task-2`, { IsSkilledTue: true }],
    want: { TaskName: 'OR 2', IsSkilledTue: true },
  },
  { id: 'removeStaffSkillset', call: ['DELETE', `${person}/skillset/imported-task-1`], want: {} },
  {
    id: 'setStaffProfile',
    call: ['PUT', `${person}/profile/imported-profile-2`, { IsSchedulable: true }],
    want: { Name: 'Imported 2', IsSchedulable: true },
  },
  {
    id: 'createPayModifier',
    call: ['POST', `${person}/payModifier`, { TaskTagCategory: 'Imported', TaskTagName: 'Gold' }],
    status: 201,
    want: { StaffMemberKey: 'imported-1', TaskTagKey: expect.anything() },
  },
  {
    id: 'updatePayModifier',
    call: ['PUT', `${person}/payModifier/imported-pm-2`, { IsPrimaryPosition: true }],
    want: { PayModifierKey: 'imported-pm-2', PositionId: 'POS-2', IsPrimaryPosition: true },
  },
  { id: 'deletePayModifier', call: ['DELETE', `${person}/payModifier/imported-pm-1`], want: {} },
];

describe('an imported company', () => {
  it.each(operations)(
    'has data behind the operation $id',
    async ({ call: [method, path, json], status = 200, want }) => {
      const response = await app.asAdmin(path.startsWith('/v2/') ? path : `/v2/staffmember${path}`, { method, json });
      expect([response.status, response.body]).toMatchObject([status, want]);
    },
  );

  it('is tested with each operation on people, and with each file', () => {
    const ids = Object.entries(schedulingDocument.paths).flatMap(([path, { get, post, put, delete: remove }]) =>
      /\/staffmember/i.test(path) ? [get, post, put, remove].flatMap((one) => one?.operationId ?? []) : [],
    );
    expect(operations.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(Object.keys(files).sort()).toEqual(companyFiles.map(({ name }) => name).sort());
  });
});
