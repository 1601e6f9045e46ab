import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, test } from 'vitest';
import type { StaffKey } from '../keys/proxy-keys.ts';
import type { StaffCall } from '../staff-call.ts';
import { findHiddenParts } from './hidden-parts.ts';
import { createHiddenPolicy } from './hidden-policy.ts';

const parts = findHiddenParts(proxyDocument);
const policies = { contract: createHiddenPolicy(parts, 'contract'), vendor: createHiddenPolicy(parts, 'vendor') };
const keyWith = (...scopes: string[]) => ({ scopes }) as unknown as StaffKey;

/** Returns the code of the rejection, or whether the call was forwarded unchanged. */
function decide(
  query: string,
  key = keyWith(),
  operation: keyof typeof operations = 'listStaffMembers',
  form: keyof typeof policies = 'contract',
): string {
  const call = { operation: operations[operation], query } as StaffCall;
  try {
    return policies[form](call, key) === call ? 'unchanged' : 'changed';
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
  expect(parts.visibleIn('listStaffMembers').get('lastname')?.name).toBe('LastName');
  expect(parts.visibleIn('listStaffMembers').has('tags')).toBe(false);
  expect(parts.readableIn('listStaffMembers').get('tags')?.properties.get('tags')?.properties.get('key')).toBeDefined();
  expect(parts.readableIn('listStaffMembers').has('timeclockkioskpin')).toBe(false);
  expect([...parts.writeOnly]).toEqual(['timeclockkioskpin']);
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
  '$filter=BadgeIds/any(Tags:Tags/any())',
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
  "$filter=BadgeIds/$filter(BadgeGroup eq 'x')/$count gt 0",
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
    ["$filter=BadgeIds/any(b:b/Pin eq '1')", 'odata_invalid'],
    ["$filter=BadgeIds/$filter(LastName eq '1')/$count gt 0", 'odata_invalid'],
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

describe('in front of the vendor, a key with the scope', () => {
  const ask = (query: string, more: object = {}) => {
    const key = { ...keyWith('admin'), ...more };
    return decide(query.replaceAll(' ', '%20'), key, 'listStaffMembers', 'vendor');
  };

  test.each([
    "$filter=startswith(SocialSecurityNumber,'0')",
    '$filter=LastName eq @x&@x=SocialSecurityNumber',
    '$orderby=BirthDate desc',
    "$filter=Skillset/any(s:startswith(s/SocialSecurityNumber,'0'))",
    "$filter=Tags/$filter(LastName eq 'x')/$count gt 0",
    '$filter=Skillset/$count($filter=Rate gt 10) gt 0',
    "$expand=Skillset($filter=SocialSecurityNumber eq '0')",
    '$expand=Tags($expand=Tags($orderby=Secret))',
    '$select=Skillset($orderby=Rate)',
  ])('may not compute with a member that its responses lack: %s', (query) => {
    expect(ask(query)).toBe('odata_invalid');
    expect(ask(query, { keepsUnknownMembers: true })).toBe('unchanged');
    expect(decide(query.replaceAll(' ', '%20'), keyWith('admin'))).toBe('unchanged');
  });

  test.each([
    "$filter=TimeClockKioskPIN eq '1'",
    '$orderby=timeclockkioskpin',
    "$filter=Skillset/any(s:s/Staff/TimeClockKioskPIN eq '1')",
    "$expand=Skillset($filter=TimeClockKioskPIN eq '1')",
  ])('may never compute with a write-only member: %s', (query) => {
    expect(ask(query)).toBe('odata_invalid');
    expect(ask(query, { keepsUnknownMembers: true })).toBe('odata_invalid');
  });

  test.each([
    '$search=24',
    '$compute=BirthDate as City',
    '$expand=Skillset($search=24)',
    '$expand=Tags($compute=X as Y)',
  ])('may not use what the contract does not support: %s', (query) => {
    expect(ask(query)).toBe('odata_unsupported');
  });

  test.each([
    "$filter=Tags/any(t:t/CategoryName eq 'x' and t/Tags/any(u:u/Key gt 1 and $it/Fte gt 1)) and Fte gt 0.5",
    "$filter=Tags/$filter(CategoryName eq 'x')/$count gt 0",
    '$expand=Tags($filter=CategoryKey gt 1),Skillset($orderby=TaskName;$top=1)&$orderby=LastName',
    '$expand=Skillset($filter=contains($it/LastName,TaskName))',
    '$select=StaffKey,BirthDate&$top=2&$skiptoken=abc',
  ])('may use the contract: %s', (query) => {
    expect(ask(query)).toBe('unchanged');
  });
});
