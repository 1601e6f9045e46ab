import { describe, expect, test } from 'vitest';
import { people } from '../test/people.ts';
import { bind } from './bind.ts';
import { toComparator, toPredicate } from './evaluate.ts';
import { parseQueryOptions } from './parse-query-options.ts';

const bound = (option: string, text: string) =>
  bind(parseQueryOptions(new URLSearchParams({ [option]: text })), people, 'Person');
const holds = (filter: string, row: object): boolean => toPredicate(bound('$filter', filter))(row);

describe('a predicate', () => {
  test.each([
    // Null: OData Part 2, 5.1.1.1
    ['Name eq null', {}, true],
    ['Name eq null', { Name: '' }, false],
    ['Name ne null', { Name: '' }, true],
    ["Name ne 'x'", { Name: null }, true],
    ['Name eq Note', { Name: null, Note: null }, true],
    ['Age gt 5', { Age: null }, false],
    ['not (Age gt 5)', { Age: null }, true],
    ['Age ge Score', { Age: null, Score: null }, true],
    ['Age ge Score', { Age: null, Score: 1 }, false],
    ['not Active', { Active: null }, false],
    ['Active or true', { Active: null }, true],
    ['Active or Age gt 1', { Active: null, Age: 0 }, false],
    ["not contains(Name,'x')", { Name: null }, false],
    ["Name in ('a',null)", { Name: null }, true],
    ["not (Name in ('a'))", { Name: null }, true],
    ['Age add 1 eq null', { Age: null }, true],
    ['Age mod Score eq null', { Age: 1, Score: 0 }, true],
    // Collections: 5.1.1.13
    ['Groups/any()', { Groups: [] }, false],
    ['Groups/any()', {}, false],
    ['Groups/all(g:g/Weight gt 1)', { Groups: [] }, true],
    ['Groups/all(g:g/Weight gt 1)', { Groups: [{ Weight: null }] }, false],
    ['Groups/$count eq 2', { Groups: [{}, {}] }, true],
    ['Groups/any(g:g/Tags/any(t:t/Label eq g/Name))', { Groups: [{ Name: 'a', Tags: [{ Label: 'a' }] }] }, true],
    ["Emails/any(e:endswith(e,'.com'))", { Emails: ['a@b.com'] }, true],
    [
      "Groups/$filter(Name eq 'a')/$count($filter=Weight gt 1) eq 1",
      {
        Groups: [
          { Name: 'a', Weight: 2 },
          { Name: 'b', Weight: 2 },
        ],
      },
      true,
    ],
    // Text by code point
    ['length(Name) eq 2', { Name: '😀a' }, true],
    ["substring(Name,1) eq 'a'", { Name: '😀a' }, true],
    ["indexof(Name,'a') eq 1", { Name: '😀a' }, true],
    ["Name gt '\uffee'", { Name: '😀' }, true],
    ["tolower(Name) eq 'garcía'", { Name: 'GARCÍA' }, true],
    ["toupper(Name) eq 'STRASSE'", { Name: 'straße' }, true],
    ["trim(Name) eq 'x'", { Name: '\u2003x\u00a0' }, true],
    ["matchesPattern(Name,'^[A-C].+z$')", { Name: 'Buzz' }, true],
    // Numbers
    ['Age div 2 eq 2', { Age: 5 }, true],
    ['Age divby 2 eq 2.5', { Age: 5 }, true],
    ['Age mod 3 eq -2', { Age: -5 }, true],
    ['round(Score) eq -3', { Score: -2.5 }, true],
    ['floor(Score) eq -3 and ceiling(Score) eq -2', { Score: -2.5 }, true],
    ['Score lt INF', { Score: 1e308 }, true],
    ['Score ne NaN', { Score: 1 }, true],
    ['Score eq null', { Score: Number.NaN }, true],
    ['case(true:NaN) eq null', {}, true],
    ['cast(Score,Edm.Double) mul 10 eq INF', { Score: 1e308 }, true],
    ['cast(Score,Edm.Decimal) mul 10 eq null', { Score: 1e308 }, true],
    ['Age eq 9007199254740993', { Age: 9_007_199_254_740_992 }, false],
    // Dates in any format
    ['Seen eq 2024-01-01T00:00:00Z', { Seen: new Date('2024-01-01T00:00:00Z') }, true],
    ['Seen eq 2024-01-01T00:00:00', { Seen: '2024-01-01T02:00:00.000+02:00' }, true],
    ['Seen ge 2024-01-01', { Seen: '2024-01-01T00:00:00' }, true],
    [
      'year(Seen) eq 2024 and hour(Seen) eq 13 and fractionalseconds(Seen) eq 0.25',
      { Seen: '2024-05-06T13:14:15.25Z' },
      true,
    ],
    ['date(Seen) eq 2024-05-06 and time(Seen) eq 13:14:15', { Seen: '2024-05-06T13:14:15' }, true],
    ['second(Shift) eq 7', { Shift: '09:05:07' }, true],
  ] as const)('%s of %o is %s', (filter, row, expected) => {
    expect(holds(filter, row)).toBe(expected);
  });

  test('is true for every row without $filter', () => {
    expect(toPredicate({ filter: undefined })({})).toBe(true);
  });
});

test('a comparator sorts null first, or last if descending, and text by code point', () => {
  const sorted = (orderby: string, names: (string | null)[]) =>
    names
      .map((Name) => ({ Name }))
      .sort(toComparator(bound('$orderby', orderby)))
      .map(({ Name }) => Name);
  expect(sorted('Name', ['b', null, '😀', '\uffee', 'B'])).toEqual([null, 'B', 'b', '\uffee', '😀']);
  expect(sorted('Name desc', ['b', null, 'c'])).toEqual(['c', 'b', null]);
  expect(sorted('length(Name) desc,Name', ['b', 'aa', 'a'])).toEqual(['aa', 'a', 'b']);
});
