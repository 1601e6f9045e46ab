import { expect, it } from 'vitest';
import { parseStaffQuery } from '../staff-query.ts';
import { createListContext } from './list-context.ts';

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
