import { Problem } from '@rostergate/server/problem';
import { describe, expect, test } from 'vitest';
import { parseStaffQuery } from './staff-query.ts';

const parse = (query: string, more: { includes?: string[]; sinceModifiedTimestamp?: string } = {}) =>
  parseStaffQuery(query, { ...more, clock: () => 0 });

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

test('merges includes and expand, and applies the options of an expanded collection', () => {
  const { fills } = parse('$expand=Tags($top=1),Skillset', { includes: ['Tags', 'BadgeIds'] });
  expect([...fills.keys()]).toEqual(['Tags', 'BadgeIds', 'Skillset', 'TTCMTags']);
  expect(fills.get('Tags')).toMatchObject({ top: 1 });
  expect(fills.get('Skillset')).toBe(true);
});

test('selects what is expanded or included beside the named properties', () => {
  const { select } = parse('$select=LastName,Tags&$expand=Tags', { includes: ['BadgeIds'] });
  expect(select?.map((one) => one.property)).toEqual(['LastName', 'Tags', 'BadgeIds', 'TTCMTags']);
});

test('ignores custom options', () => {
  expect(parse('companyKey=x&includes=Tags&dateFormat=y').options.filter).toBeUndefined();
  expect(parse('filter=Nonsense').options.filter).toBeUndefined();
});

describe('rejects', () => {
  test.each([
    ['$filter=LastNam eq 1', 'odata_invalid', '$filter', /did you mean LastName/],
    ['$filter=LastName eq', 'odata_invalid', '$filter', /^At offset \d+: /],
    ['$orderby=LastName sideways', 'odata_invalid', '$orderby', /^At offset 9: /],
    ['$select=Nothing', 'odata_invalid', '$select', /Nothing/],
    ['$expand=BadgeIds', 'odata_invalid', '$expand', /BadgeIds/],
    ['$filter=BadgeIds/any()', 'odata_invalid', '$filter', /BadgeIds/],
    ['$expand=Tags($count=true)', 'odata_unsupported', '$expand', /count/],
    ['$search=cardiology', 'odata_unsupported', '$search', /search/],
    ['$filter=LastName eq 1', 'odata_invalid', '$filter', /Edm/],
    ['$top=1&$top=2', 'odata_invalid', '$top', /twice/],
  ] as const)('%s as %s', (query, code, parameter, detail) => {
    const problem = problemOf(() => parse(query));
    expect(problem.code).toBe(code);
    expect(problem.errors).toEqual([{ parameter, detail: expect.stringMatching(detail) }]);
  });

  test.each(['$filter=TimeClockKioskPIN eq null', '$orderby=TimeClockKioskPIN', '$select=TimeClockKioskPIN'])(
    '%s like a name that does not exist, and suggests it nowhere',
    (query) => {
      const problem = problemOf(() => parse(query));
      expect(problem.code).toBe('odata_invalid');
      expect(problem.detail).not.toMatch(/did you mean TimeClockKioskPIN/);
      expect(problemOf(() => parse(query.replace('PIN', 'PI'))).detail).not.toContain('TimeClockKioskPIN');
    },
  );

  test('a date that is not in the calendar', () => {
    const problem = problemOf(() => parse('', { sinceModifiedTimestamp: '2026-02-31' }));
    expect(problem.errors).toMatchObject([{ parameter: 'sinceModifiedTimestamp' }]);
  });
});
