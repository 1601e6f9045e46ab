import { describe, expect, test } from 'vitest';
import { bind, ODataError, odataErrors, parseQueryOptions } from '../src/index.ts';
import { people } from './people.ts';

function errorOf(query: string): ODataError {
  try {
    bind(parseQueryOptions(query), people, 'Person');
  } catch (error) {
    if (error instanceof ODataError) return error;
    throw error;
  }
  throw new Error(`${query} is not rejected.`);
}

describe('an error has the location of the mistake and a suggestion', () => {
  test.each([
    ["$filter=Nmae eq 'x'", '$filter', 0, 'Name'],
    ["$filter=name eq 'x'", '$filter', 0, 'Name'],
    ["$filter=Address/city eq 'x'", '$filter', 8, 'City'],
    ["$filter=Groups/any(g:g/Nane eq 'x')", '$filter', 15, 'Name'],
    ["$filter=Groups/any(group:grup/Name eq 'x')", '$filter', 17, 'group'],
    ['$orderby=Aeg desc', '$orderby', 0, 'Age'],
    ['$select=Key,Nme', '$select', 4, 'Name'],
    ['$expand=Group', '$expand', 0, 'Groups'],
    ['$expand=Groups($filter=Wieght gt 1)', '$expand', 15, 'Weight'],

    ["$filter=startwith(Name,'x')", '$filter', 0, 'startswith'],
    ["$filter=Active and lenght('x') eq 1", '$filter', 11, 'length'],
    ["$filter=contain(Name,'x')", '$filter', 0, 'contains'],
    ['$filter=Seen gt noww()', '$filter', 8, 'now'],
    ['$filter=geo.lenght(Name) eq 1', '$filter', 0, 'geo.length'],

    ["$filter=Name = 'x'", '$filter', 5, 'eq'],
    ["$filter=Name='x'", '$filter', 4, 'eq'],
    ["$filter=Name == 'x'", '$filter', 5, 'eq'],
    ["$filter=Name != 'x'", '$filter', 5, 'ne'],
    ['$filter=Age >= 1', '$filter', 4, 'ge'],
    ['$filter=Age<1', '$filter', 3, 'lt'],
    ['$filter=Active %26%26 Active', '$filter', 7, 'and'],
    ['$filter=(Active || Active)', '$filter', 8, 'or'],
    ['$filter=Age %2B 1 gt 2', '$filter', 4, 'add'],
    ["$filter=Name eqs 'x'", '$filter', 5, 'eq'],
    ["$filter=Name like 'x'", '$filter', 5, 'contains(…)'],
    ["$filter=Groups/any(g:g/Name == 'x')", '$filter', 20, 'eq'],
    ["$expand=Groups($filter=Name = 'x')", '$expand', 20, 'eq'],
    ['$orderby=Name dsc', '$orderby', 5, 'desc'],

    ['$fliter=Active', '$fliter', 0, '$filter'],
    ['$inlinecount=allpages', '$inlinecount', 0, undefined],
    ['$expand=Groups($fliter=Weight gt 1)', '$expand', 7, '$filter'],
    ['$expand=Groups(selct=Name)', '$expand', 7, '$select'],
  ])('%s', (query, option, offset, didYouMean) => {
    const error = errorOf(query);
    expect(error).toMatchObject({ status: 400, option, offset, didYouMean });
    if (didYouMean !== undefined) expect(error.message).toContain(`did you mean ${didYouMean}?`);
  });
});

describe('offset refers to the decoded option, and queryOffset to the undecoded query', () => {
  test.each([
    ["$top=1&$filter=Name%20eq%20'%C3%A4%F0%9F%98%80'%20x", 14, 50],
    ["$filter=Name+eq+'a'+x", 12, 20],
    ['$filter=Name eq %27', 9, 19],
    ['%24filter=Name%20eq', 7, 19],
  ])('%s', (query, offset, queryOffset) => {
    expect(errorOf(query)).toMatchObject({ option: '$filter', offset, queryOffset });
  });
});

describe('an error suggests missing quotes', () => {
  test.each([
    ['Name eq Osei', "Write 'Osei' in single quotes if it is text."],
    ['Osei eq Name', "Write 'Osei' in single quotes if it is text."],
    ['Name eq Notes', "did you mean Note? Write 'Notes' in single quotes if it is text."],
    ['Groups/any(g:g/Name eq Osei)', "Write 'Osei' in single quotes if it is text."],
    ['Name in (Osei)', "Write 'Osei' in single quotes if it is text."],
    ['contains(Name,Osei)', "Write 'Osei' in single quotes if it is text."],
    ['concat(Name,Osei) eq Note', "Write 'Osei' in single quotes if it is text."],
    ['Name eq \u2018Osei\u2019', "Expected a string in single quotes '"],
    ['Name eq van Dyk', "Text needs single quotes, as in 'van Dyk'."],
    ['Name eq Osei-Tutu', "Text needs single quotes, as in 'Osei-Tutu'."],
    ['Name in (Osei,Kim)', "Text needs single quotes, as in 'Osei'."],
    ["Name in ('Osei',Kim)", "Text needs single quotes, as in 'Kim'."],
    ["Name eq 'O'Neil'", "A quote within text is written twice, as in 'O''Neil'."],
    ["Name eq O'Neil", "A quote within text is written twice, as in 'O''Neil'."],
  ])('%s', (filter, hint) => {
    const error = errorOf(`$filter=${encodeURIComponent(filter)}`);
    expect(error.status).toBe(400);
    expect(error.message).toContain(hint);
  });

  test.each([
    'Age eq Osei',
    "Nam eq 'Osei'",
    'Active and Osei',
    'Osei',
    'Age gt 5 Osei',
    'Name/Osei eq Note',
    'Active eq true x',
  ])('but not for %s', (filter) => {
    expect(errorOf(`$filter=${encodeURIComponent(filter)}`).message).not.toContain('quotes');
  });
});

test('a message is one line and quotes little of the query', () => {
  for (const query of [
    `$filter=${'x'.repeat(120)} eq 1`,
    `$filter=Age eq '${'9'.repeat(5_000)}'`,
    `$filter=Name eq ${'9'.repeat(5_000)}`,
    `$filter=Age eq ${'q'.repeat(5_000)}`,
    `$orderby=Name ${'q'.repeat(5_000)}`,
    `$${'q'.repeat(5_000)}=1`,
    `$format=${'q'.repeat(5_000)}`,
    `$expand=Groups(${'q'.repeat(100)}=1)`,
    `$filter=${'A.'.repeat(2_000)}b(1) eq 1`,
    `$filter=Seen eq 2024-01-01T00:00:00.${'1'.repeat(5_000)}Z`,
    `$filter=@${'q'.repeat(100)} eq 1`,
    `$filter=Age eq duration'P${'9'.repeat(5_000)}D'`,
    `$filter=${'q'.repeat(100)}'x' eq 1`,
    `$filter=isof(Name,${'A.'.repeat(2_000)}b)`,
    `$filter=Groups/${'q'.repeat(120)}/x eq 1`,
  ]) {
    const { message, title } = errorOf(query);
    expect(message.length, message).toBeLessThanOrEqual(300);
    expect(message).toMatch(/^[\S ]+[.?]$/u);
    expect(title).not.toBe('');
  }
});

test('only one code has the status 501', () => {
  expect(Object.entries(odataErrors).filter(([, { status }]) => status === 501)).toHaveLength(1);
});
