import { expect, it } from 'vitest';
import { parseStaffQuery } from '../staff-query.ts';
import { isIndexOrder, splitFilter } from './staff-statement.ts';

const kindsOf = (filter: string) => {
  const { seek, rest } = splitFilter(parseStaffQuery(`$filter=${filter}`, { clock: Date.now }).options.filter);
  return [seek?.kind, rest?.kind];
};

it.each([
  ["LastName eq 'X'", 'compare', undefined],
  ["'X' eq StaffKey", 'compare', undefined],
  ["Npi eq '1' and City ne 'Y'", 'and', undefined],
  ["Email eq 'a@b.c' and Tags/any()", 'compare', 'any'],
  ["StaffId eq '1' and contains(City,'a') and length(City) gt 2", 'compare', 'and'],
  ["City eq 'X'", undefined, 'compare'],
  ['Npi eq null', undefined, 'compare'],
  ["LastName gt 'X'", undefined, 'compare'],
  ["LastName eq 'X' or City eq 'Y'", undefined, 'or'],
  ["tolower(LastName) eq 'x'", undefined, 'compare'],
  ['LastName eq FirstName', undefined, 'compare'],
])('splits %s into the indexed part %s and the rest %s', (filter, seek, rest) => {
  expect(kindsOf(filter)).toEqual([seek, rest]);
});

it('returns nothing without a filter', () => {
  expect(splitFilter(undefined)).toEqual({ seek: undefined, rest: undefined });
});

it.each([
  ['LastName', true],
  ['LastName desc', true],
  ['Npi', true],
  ['Npi desc', false],
  ['City', false],
  ['LastName,City', false],
  ['tolower(LastName)', false],
])('finds out whether an index has the order %s', (order, isIndexed) => {
  const { orderby } = parseStaffQuery(`$orderby=${order}`, { clock: Date.now }).options;
  expect(isIndexOrder(orderby)).toBe(isIndexed);
});
