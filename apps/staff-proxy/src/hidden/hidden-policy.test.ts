import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, test } from 'vitest';
import type { StaffKey } from '../keys/proxy-keys.ts';
import type { StaffCall } from '../staff-call.ts';
import { findHiddenParts } from './hidden-parts.ts';
import { createHiddenPolicy } from './hidden-policy.ts';

const parts = findHiddenParts(proxyDocument);
const policy = createHiddenPolicy(parts);
const keyWith = (...scopes: string[]) => ({ scopes }) as unknown as StaffKey;

/** Returns the code of the rejection, or whether the call was forwarded unchanged. */
function decide(query: string, key = keyWith(), operation: keyof typeof operations = 'listStaffMembers'): string {
  const call = { operation: operations[operation], query } as StaffCall;
  try {
    return policy(call, key) === call ? 'unchanged' : 'changed';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('the contract marks tags, skills and profiles as hidden', () => {
  const names = ['tags', 'ttcmtags', 'skillset', 'profiles', 'availableprofiles', 'paymodifiertagkeys'];
  expect([...parts.names].sort()).toEqual([...names, 'locationtagkey', 'tasktagkey'].sort());
  const kinds = Object.keys(operations).flatMap((id) => (parts.inResponseOf(id) ? [[id, parts.inResponseOf(id)]] : []));
  expect(Object.fromEntries(kinds)).toEqual({
    listStaffMembers: 'members',
    getStaffMember: 'members',
    createStaffMember: 'members',
    updateStaffMember: 'members',
    setStaffManager: 'members',
    listStaffLocations: 'members',
    addStaffLocationTag: 'members',
    addStaffTag: 'whole',
    listStaffProfiles: 'whole',
    setStaffProfile: 'whole',
    setStaffSkillset: 'whole',
    listPayModifiers: 'members',
    createPayModifier: 'members',
    updatePayModifier: 'members',
  });
  expect(parts.visibleIn('listStaffMembers').get('lastname')).toBe('LastName');
  expect(parts.visibleIn('listStaffMembers').has('timeclockkioskpin')).toBe(false);
});

const rejected = [
  '$filter=Tags/any()',
  '$filter=tags/any()',
  '%24filter=%54ags%2Fany()',
  '$filter=not Skillset/all(s:s/IsSkilledMon)',
  "$filter=LastName eq 'x' or (Fte gt 1 and Tags/$count gt 2)",
  "$filter=Tags/$filter(CategoryName eq 'x')/$count eq 1",
  "$filter=contains(concat(LastName,cast(Profiles/$count,Edm.String)),'1')",
  '$filter=case(Tags/any():true,true:false)',
  '$filter=$it/Tags/any()',
  '$filter=LastName in Tags',
  '$filter=BadgeIds/any(b:$it/Tags/any())',
  '$filter=LastName eq @x&@x=Tags/$count',
  '$orderby=LastName,Tags/$count desc',
  '$orderby=AvailableProfiles/any()',
  '$search=gold',
  '$expand=Tags($filter=CategoryKey gt 1)',
  '$expand=Tags($count=true)',
  '$expand=Skillset($orderby=TaskName;$top=1)',
  '$expand=Tags($expand=Tags($top=1))',
  '$expand=Tags/$count',
  '$expand=Tags/$ref',
  '$expand=*($levels=2)',
];

test.each(rejected)('%s is rejected without the scope, and only then', (query) => {
  const given = encodeURI(query).replaceAll('%25', '%');
  expect(decide(given)).toBe('scope_missing');
  expect(decide(given, keyWith(), 'getStaffMember')).toBe('scope_missing');
  expect(decide(given, keyWith('admin'))).toBe('unchanged');
});

test.each([
  '',
  'companyKey=C-1',
  "$filter=LastName eq 'Tags/any()' and BadgeIds/any(b:b/BadgeId eq '1')",
  '$filter=startswith(tolower(LastName),@p)&@p=%27x%27&$orderby=Fte desc,LastName',
  '$filter=$it/Fte gt 0.5 and StartDate lt now()',
  '$expand=Tags,Skillset($select=TaskName),Profiles&includes=AvailableProfiles',
  '$select=StaffKey,Tags,Skillset/TaskName&$count=true&$top=2&$skip=1&$skiptoken=abc',
  '$select=*&$expand=Tags($select=Tags)',
])('%s is forwarded unchanged', (query) => {
  expect(decide(query)).toBe('unchanged');
});

describe('rejects a query of unknown meaning', () => {
  test.each([
    ['$filter=Tags/any(', 'odata_invalid'],
    ["$filter=LastName eq 'x", 'odata_invalid'],
    ['$filter=%zz', 'odata_invalid'],
    ["$filter=TagNames eq 'x'", 'odata_invalid'],
    ["$filter=TimeClockKioskPIN eq '1'", 'odata_invalid'],
    ['$filter=Vendor.Staff/Tags/any()', 'odata_invalid'],
    ["$filter=$root/Staff/Name eq 'x'", 'odata_invalid'],
    ['$select=TagNames', 'odata_invalid'],
    ['$expand=TagNames', 'odata_invalid'],
    ['$compute=Tags/$count as n', 'scope_missing'],
    ['$apply=groupby((Tags))', 'scope_missing'],
  ])('%s: %s', (query, code) => {
    expect(decide(query.replaceAll(' ', '%20'))).toBe(code);
  });
});
