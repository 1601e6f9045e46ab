import { describe, expect, test } from 'vitest';
import type { ExpandItem } from './ast.ts';
import { parseQueryOptions } from './parse-query-options.ts';

describe('a query', () => {
  test('is split before it is decoded once', () => {
    const query = parseQueryOptions("%24filter=Name+eq+'A%26B%3D%2B%2527'&companyKey=a=b%26&includes=");
    expect(query.filter).toMatchObject({ right: { value: 'A&B=+%27' } });
    expect(query.custom).toEqual([
      ['companyKey', 'a=b&'],
      ['includes', ''],
    ]);
  });

  test('has the same tree as URLSearchParams', () => {
    const text = "$filter=Name eq 'a%2Bb'&$top=5&x=1";
    expect(parseQueryOptions(new URLSearchParams(text))).toEqual(parseQueryOptions(text));
  });

  test('can contain every option', () => {
    const text =
      '$filter=A&$select=A,B&$orderby=A desc,B&$expand=C&$top=5&$skip=10&$count=true&$search=x&$compute=A add 1 as D' +
      '&$format=json&$skiptoken=t&$deltatoken=d&$id=i&$index=-1&$schemaversion=*&$apply=x&@p=1';
    expect(parseQueryOptions(text)).toMatchObject({
      orderby: [{ descending: true }, { descending: false }],
      top: 5,
      skip: 10,
      count: true,
      compute: [{ name: 'D' }],
      format: 'json',
      skiptoken: 't',
      deltatoken: 'd',
      id: 'i',
      index: -1,
      schemaversion: '*',
      apply: 'x',
      aliases: new Map([['p', expect.objectContaining({ value: '1' })]]),
    });
  });

  test('can have option names in any case and without $, as in 4.01', () => {
    expect(parseQueryOptions('$FILTER=A&orderBy=B')).toMatchObject({ filter: { kind: 'path' }, orderby: [{}] });
  });

  test('has custom options for names without $ when dollarOptional is false', () => {
    const query = parseQueryOptions('filter=A&$top=1', { dollarOptional: false });
    expect(query).toMatchObject({ filter: undefined, top: 1, custom: [['filter', 'A']] });
  });

  test.each([
    ['$filter=A&%24Filter=B', 'duplicate_option', '$Filter'],
    ['$top=1&top=2', 'duplicate_option', 'top'],
    ['@p=1&@p=2', 'duplicate_option', '@p'],
    ['$expand=A($top=1;$top=2)', 'duplicate_option', '$expand'],
    ['$filtre=A', 'unknown_option', '$filtre'],
    ['$filter', 'syntax', '$filter'],
    ['$top=-1', 'syntax', '$top'],
    ['$count=1', 'syntax', '$count'],
    ["$filter=Name eq '%C3'", 'invalid_encoding', undefined],
    ['$filter=%', 'invalid_encoding', undefined],
    ['$orderby=Name up', 'syntax', '$orderby'],
    ['$expand=A($filtr=B)', 'syntax', '$expand'],
  ])('is rejected for %s as %s', (text, code, option) => {
    expect(() => parseQueryOptions(text)).toThrow(expect.objectContaining({ code, option, status: 400 }));
  });

  test('reports the offset of a fault in the undecoded query', () => {
    const text = "companyKey=1&$filter=Name+eq+'%C3%96%F0%9F%98%80'+und";
    expect(() => parseQueryOptions(text)).toThrow(
      expect.objectContaining({ option: '$filter', offset: 14, queryOffset: text.indexOf('und') }),
    );
  });

  test('must follow the ABNF exactly when strict', () => {
    for (const text of ['$orderby=A, B', '$filter=not(A eq 1)', '$filter=A gt 2024-01-01T00:00:00', 'a=1&&b=2']) {
      expect(() => parseQueryOptions(text)).not.toThrow();
      if (!text.includes('not(')) expect(() => parseQueryOptions(text, { strict: true })).toThrow();
    }
  });
});

describe('$expand', () => {
  test('separates nested options by semicolons', () => {
    const [item] = parseQueryOptions(
      "$expand=Tags($filter=Name eq 'a;b)';$expand=Owner($select=Name);$orderby=Name desc;@p=1;$levels=max)",
    ).expand as ExpandItem[];
    expect(item?.options).toMatchObject({
      filter: { right: { value: 'a;b)' } },
      expand: [{ options: { select: [{}] } }],
      orderby: [{ descending: true }],
      levels: 'max',
    });
  });

  test('supports *, $ref, $count and $value', () => {
    expect(parseQueryOptions('$expand=*,*/$ref,A/$ref,B/$count($filter=X),$value,C/Model.D/E').expand).toMatchObject([
      { star: true, suffix: undefined },
      { star: true, suffix: '$ref' },
      { suffix: '$ref' },
      { suffix: '$count', options: { filter: {} } },
      { suffix: '$value' },
      { path: [{ name: 'C' }, { name: 'Model.D' }, { name: 'E' }] },
    ]);
  });
});

test('$select supports paths, *, operations and nested options', () => {
  expect(
    parseQueryOptions('$select=*,A/B,Model.*,Model.F(X,Y),C($select=D;$top=1),@Core.Messages').select,
  ).toMatchObject([
    { star: true, path: [] },
    { path: [{ name: 'A' }, { name: 'B' }] },
    { star: true, path: [{ name: 'Model' }] },
    { parameters: ['X', 'Y'] },
    { options: { top: 1 } },
    { path: [{ kind: 'annotation', name: 'Core.Messages' }] },
  ]);
});

describe('$search', () => {
  test.each(['blue green', 'a OR b AND NOT "c d"', 'OR AND', 'NOT', '(a OR b) c'])('accepts %s as text', (text) => {
    expect(parseQueryOptions(`$search= ${text}`).search).toEqual({ text, offset: 1, end: text.length + 1 });
  });

  test.each(['$search=#1', '$search=a{b', '$search=x NOT a|b', '$expand=A($search=#1)'])(
    'rejects %s: a word must encode characters that a URL cannot contain',
    (text) => {
      const at = text.search(/[#{|]/);
      expect(() => parseQueryOptions(text)).toThrow(expect.objectContaining({ code: 'syntax', queryOffset: at }));
      expect(() => parseQueryOptions(text.replace(/[#{|]/g, encodeURIComponent))).not.toThrow();
    },
  );

  test('distinguishes an encoded semicolon in a word from one between options', () => {
    const [item] = parseQueryOptions('$expand=A($search=x%3By;$top=1)').expand ?? [];
    expect(item?.options).toMatchObject({ search: { text: 'x;y' }, top: 1 });
    expect(() => parseQueryOptions('$search=x;y')).toThrow(expect.objectContaining({ offset: 1 }));
  });
});
