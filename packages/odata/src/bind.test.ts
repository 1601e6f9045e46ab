import { describe, expect, test } from 'vitest';
import { people } from '../test/people.ts';
import { type BindSettings, bind } from './bind.ts';
import type { BoundQuery } from './bound-ast.ts';
import { parseQueryOptions } from './parse-query-options.ts';

const bound = (query: string, settings?: BindSettings): BoundQuery =>
  bind(parseQueryOptions(query), people, 'Person', settings);
const filter = (text: string) => bound(`$filter=${encodeURIComponent(text)}`).filter;

describe('binding $filter', () => {
  test.each([
    ["Nam eq 'x'", 'unknown_property', 0, 'Name'],
    ["Pin eq 'x'", 'unknown_property', 0, undefined],
    ["Pim eq 'x'", 'unknown_property', 0, undefined],
    ["Address/Citty eq 'x'", 'unknown_property', 8, 'City'],
    ["Groups/any(g:g/Nam eq 'x')", 'unknown_property', 15, 'Name'],
    ["Groups/any(g:h/Name eq 'x')", 'unknown_property', 13, 'g'],
    ['constructor eq 1', 'unknown_property', 0, undefined],
    ['Salary gt 1', 'property_not_allowed', 0, undefined],
    ['Name eq 5', 'type_mismatch', 8, undefined],
    ["Age gt '5'", 'type_mismatch', 7, undefined],
    ["Seen ge '2024-01-01'", 'type_mismatch', 8, undefined],
    ['Active gt 1', 'type_mismatch', 10, undefined],
    ['Born eq 2024-01-01T00:00:00Z', 'type_mismatch', 8, undefined],
    ['Name', 'type_mismatch', 0, undefined],
    ["not Name eq 'x'", 'type_mismatch', 4, undefined],
    ['Name and Active', 'type_mismatch', 0, undefined],
    ['Address eq null', 'type_mismatch', 0, undefined],
    ["Groups/Name eq 'x'", 'type_mismatch', 7, undefined],
    ['Groups', 'type_mismatch', 0, undefined],
    ['Name/any(x:x eq 1)', 'type_mismatch', 5, undefined],
    ['Age add Name eq 1', 'type_mismatch', 8, undefined],
    ['length(Age) eq 1', 'type_mismatch', 7, undefined],
    ["substring(Name,1.5) eq 'x'", 'type_mismatch', 15, undefined],
    ["substring(Name,-1) eq 'x'", 'value_out_of_range', 15, undefined],
    ['Age div 0 eq 1', 'value_out_of_range', 8, undefined],
    ['Score gt 1e308 mul 10', 'value_out_of_range', 9, undefined],
    ['Score gt 1 divby 0', 'value_out_of_range', 9, undefined],
    ["Born lt 9999-12-31 add duration'P1D'", 'value_out_of_range', 8, undefined],
    [`duration'P${'9'.repeat(400)}D' gt duration'P1D'`, 'value_out_of_range', 0, undefined],
    ['Born eq 2024-02-30', 'value_out_of_range', 8, undefined],
    ['Seen eq 10000-01-01T00:00:00Z', 'value_out_of_range', 8, undefined],
    ["matchesPattern(Name,'(')", 'value_out_of_range', 20, undefined],
    ['Age gt @min', 'unknown_alias', 7, undefined],
    ['Name in Note', 'type_mismatch', 8, undefined],
    ['Age in Emails', 'type_mismatch', 0, undefined],
  ])('rejects %s as %s at offset %i', (text, code, offset, didYouMean) => {
    expect(() => filter(text)).toThrow(
      expect.objectContaining({ code, offset, didYouMean, status: 400, option: '$filter' }),
    );
  });

  test.each([
    "Name has Model.Color'Red'",
    '$root/People eq 1',
    'geo.length(Name) eq 1',
    'totaloffsetminutes(Seen) eq 1',
    "cast(floor(Age add 1),Edm.String) eq '1'",
    "hassubset(['a'],['b'])",
    'Name/@Core.Term eq 1',
    'Model.Type/Name eq 1',
    "matchesPattern(Name,'(?=a)')",
    'matchesPattern(Name,Note)',
    "Seen add duration'P1D' gt now()",
    'hour(2024-01-01T00:00:00+02:00) eq 1',
    'Groups(1)/Name eq 1',
    'Name in (length(Note))',
  ])('rejects %s with 501', (text) => {
    expect(() => filter(text)).toThrow(expect.objectContaining({ code: 'not_supported', status: 501 }));
  });

  test('compares an unquoted guid with a string as its exact text', () => {
    expect(filter('Key eq 11111111-2222-3333-4444-55555555AAaa')).toMatchObject({
      right: { type: 'Edm.String', value: '11111111-2222-3333-4444-55555555AAaa' },
    });
    expect(filter('Key in (11111111-2222-3333-4444-55555555AAaa)')).toMatchObject({
      values: ['11111111-2222-3333-4444-55555555AAaa'],
    });
  });

  test.each([
    ['2024-01-01T00:00:00', '2024-01-01T00:00:00'],
    ['2024-01-01T00:00Z', '2024-01-01T00:00:00'],
    ['2024-01-01T01:30:00.500+01:30', '2024-01-01T00:00:00.5'],
    ['2023-12-31T19:00:00-05:00', '2024-01-01T00:00:00'],
    ['2024-01-01', '2024-01-01T00:00:00'],
    ["now() sub duration'P1D'", '2024-06-29T12:00:00'],
    ["now() sub 'PT0.5S'", '2024-06-30T11:59:59.5'],
    ['mindatetime()', '0001-01-01T00:00:00'],
  ])('reads %s as %s in UTC', (text, value) => {
    const query = bound(`$filter=${encodeURIComponent(`Seen ge ${text}`)}`, {
      now: () => new Date('2024-06-30T12:00:00Z'),
    });
    expect(query.filter).toMatchObject({ right: { kind: 'constant', value } });
  });

  test('computes expressions of constants', () => {
    expect(filter("Name eq concat(toupper('ö'),trim(' x '))")).toMatchObject({ right: { value: 'Öx' } });
    expect(filter('1 add 2 mul 3 eq 7 or Active')).toMatchObject({ kind: 'constant', value: true });
    expect(filter('9007199254740993 eq 9007199254740992')).toMatchObject({ kind: 'constant', value: false });
  });

  test('replaces an alias by its value', () => {
    expect(bound('$filter=Age gt @min and Name in @names&@min=5&@names=["a","b"]').filter).toMatchObject({
      operands: [{ right: { value: 5 } }, { values: ['a', 'b'] }],
    });
    expect(bound("$filter=@who/City eq 'x'&@who=Address").filter).toMatchObject({
      left: { path: ['Address', 'City'] },
    });
  });

  test('rejects circular aliases and aliases that expand too far', () => {
    expect(() => bound('$filter=@a&@a=@b&@b=@a')).toThrow(expect.objectContaining({ code: 'unknown_alias' }));
    const bomb = Array.from({ length: 20 }, (_, i) => `@a${i + 1}=@a${i} and @a${i}`).join('&');
    expect(() => bound(`$filter=@a20&@a0=Active&${bomb}`)).toThrow(expect.objectContaining({ code: 'limit_exceeded' }));
  });

  test('limits the scope of a lambda variable to its lambda', () => {
    expect(() => filter("Groups/any(g:true) and g/Name eq 'x'")).toThrow(expect.objectContaining({ offset: 23 }));
    expect(filter('Groups/any(Name:Name/Name eq Note)')).toMatchObject({
      predicate: { left: { variable: 1, path: ['Name'] }, right: { variable: 0, path: ['Note'] } },
    });
  });
});

describe('binding the other options', () => {
  test('selects properties, parts of properties, or all properties', () => {
    expect(bound('$select=Key,Address/City,Groups($select=Name)').select).toEqual([
      { property: 'Key', select: undefined },
      { property: 'Address', select: [{ property: 'City', select: undefined }] },
      { property: 'Groups', select: [{ property: 'Name', select: undefined }] },
    ]);
    expect(bound('$select=*,Key').select).toBeUndefined();
    expect(bound('$select=Address/City,Address').select).toEqual([{ property: 'Address', select: undefined }]);
  });

  test('binds nested options of $expand to the element', () => {
    expect(bound('$expand=Groups($filter=Weight gt 1;$expand=Tags;$top=1;$count=true)').expand).toMatchObject([
      { property: 'Groups', query: { type: 'Group', top: 1, count: true, expand: [{ property: 'Tags' }] } },
    ]);
    expect(bound('$expand=*').expand.map(({ property }) => property)).toEqual(['Groups']);
  });

  test('orders by properties and expressions, and drops constants', () => {
    expect(bound('$orderby=Name desc,length(Note),1').orderby).toMatchObject([
      { descending: true },
      { expression: { kind: 'call' } },
    ]);
  });

  test.each([
    ['$select=Nam', 'unknown_property', '$select'],
    ['$select=Pin', 'unknown_property', '$select'],
    ['$select=Name/City', 'type_mismatch', '$select'],
    ['$expand=Address', 'property_not_allowed', '$expand'],
    ['$expand=Group', 'unknown_property', '$expand'],
    ['$expand=Groups,Groups', 'duplicate_option', '$expand'],
    ['$expand=Groups($filter=Nam eq 1)', 'unknown_property', '$expand'],
    ['$orderby=Salary', 'property_not_allowed', '$orderby'],
    ['$orderby=Groups', 'type_mismatch', '$orderby'],
    ['$orderby=Pin', 'unknown_property', '$orderby'],
    ['$search=x', 'not_supported', '$search'],
    ['$apply=x', 'not_supported', '$apply'],
    ['$compute=Age add 1 as B', 'not_supported', '$compute'],
    ['$format=json', 'not_supported', '$format'],
    ['$skiptoken=x', 'not_supported', '$skiptoken'],
    ['$expand=Groups/$ref', 'not_supported', '$expand'],
    ['$expand=Groups($levels=2)', 'not_supported', '$expand'],
    ['$expand=Groups($filter=$it/Age gt 1)', 'not_supported', '$expand'],
    ['$select=Model.*', 'not_supported', '$select'],
  ])('rejects %s as %s of %s', (query, code, option) => {
    expect(() => bound(query)).toThrow(expect.objectContaining({ code, option }));
  });

  test('accepts options that the caller handles', () => {
    expect(() => bound('$format=json&$search=x', { handled: ['$format', '$search'] })).not.toThrow();
  });
});

describe('an alias', () => {
  const strict: BindSettings = { rejectUnusedAliases: true };
  test.each([
    ['$filter=Age gt @n&@n=1'],
    ['$orderby=@n&@n=Name'],
    ['$filter=Age gt @n&@n=@m add 1&@m=2'],
    ['$expand=Groups($filter=Name eq @n)&@n=null'],
    ['$expand=Groups(@n=Name;$orderby=@n;$filter=@n eq @m)&@m=null'],
  ])('can be used in %s', (text) => {
    expect(() => bound(text, strict)).not.toThrow();
  });

  test.each([
    ['$filter=Active&@n=1', 'unused_alias', '@n', 0],
    ['$filter=Age gt @a&@a=1&@n= [1]', 'unused_alias', '@n', 1],
    ['$expand=Groups(@n=Name)&@n=1', 'unused_alias', '@n', 10],
    ['$filter=Age gt @n&@n=@n', 'unknown_alias', '@n', 0],
    ['$filter=Age gt @n&@n=@m&@m=@n', 'unknown_alias', '@m', 0],
    ['$filter=Age gt @n', 'unknown_alias', '$filter', 7],
    ['$orderby=Age,@n', 'unknown_alias', '$orderby', 4],
    ['$filter=Age gt @n&@n=1&@n=2', 'duplicate_option', '@n', 0],
    ["$filter=Age gt @n&@n='x'", 'type_mismatch', '$filter', 7],
    ['$filter=Age gt @n&@n=Nmae', 'unknown_property', '@n', 0],
  ])('is rejected in %s as %s, with its location', (text, code, option, offset) => {
    expect(() => bound(text, strict)).toThrow(expect.objectContaining({ code, option, offset, status: 400 }));
  });
});
