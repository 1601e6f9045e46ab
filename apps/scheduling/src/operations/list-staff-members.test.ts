import { expect, it } from 'vitest';
import { parseStaffQuery } from '../staff-query.ts';
import { createListContext, parsePagePreference } from './list-staff-members.ts';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['maxpagesize=100', 100],
  ['odata.maxpagesize=7', 7],
  ['OData.MaxPageSize="25"', 25],
  ['respond-async, wait=10, maxpagesize = 3; foo=bar', 3],
  ['handling="a, maxpagesize=9", maxpagesize=4', 4],
  ['maxpagesize=2, maxpagesize=5', 2],
  ['maxpagesize=0', undefined],
  ['maxpagesize=-1', undefined],
  ['maxpagesize=many', undefined],
  ['maxpagesize', undefined],
  ['maxpagesize=99999999999', undefined],
  ['xmaxpagesize=3', undefined],
  ['"', undefined],
])('reads from %j a page size of %s', (header, size) => {
  expect(parsePagePreference(header)).toBe(size);
});

it.each([
  ['', undefined, '$metadata#StaffMembers'],
  ['$select=LastName,City', undefined, '$metadata#StaffMembers(LastName,City)'],
  ['$expand=Tags', undefined, '$metadata#StaffMembers(Tags())'],
  ['$select=LastName&$expand=Tags,Skillset', undefined, '$metadata#StaffMembers(LastName,Tags(),Skillset())'],
  ['$select=LastName,Tags', undefined, '$metadata#StaffMembers(LastName,Tags)'],
  ['$select=LastName', ['Profiles', 'BadgeIds'], '$metadata#StaffMembers(LastName,Profiles())'],
  ['$select=*', undefined, '$metadata#StaffMembers'],
  ['$expand=Tags($select=CategoryName)', undefined, '$metadata#StaffMembers(Tags(CategoryName))'],
])('has for %j with includes %j the context %s', (query, includes, context) => {
  expect(createListContext(parseStaffQuery(query, { includes, clock: Date.now }))).toBe(context);
});
