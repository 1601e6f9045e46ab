import { describe, expect, test } from 'vitest';
import { mapping, people } from '../test/people.ts';
import { bind } from './bind.ts';
import { parseQueryOptions } from './parse-query-options.ts';
import type { SqlDialectName } from './sql-dialect.ts';
import { toSql, toSqlKeys } from './to-sql.ts';

const query = (filter: string, orderby?: string) =>
  bind(
    parseQueryOptions(new URLSearchParams({ $filter: filter, ...(orderby && { $orderby: orderby }) })),
    people,
    'Person',
  );
const where = (dialect: SqlDialectName, filter: string) => toSql(query(filter), dialect, { mapping }).where;

const filters = [
  "Key eq 'a'",
  "Name eq 'a' and Age gt 5",
  "not (Age gt 5 or Name eq 'a')",
  'Name eq null or Age ne null',
  "Name ne 'a'",
  'Name eq Note',
  'Age ge Address/Floor',
  "Name in ('a','b',null)",
  "not (Name in ('a'))",
  "Name gt 'a'",
  "contains(Name,'x') or startswith(Name,'😀y') or endswith(Name,'z')",
  'endswith(Name,Note)',
  "tolower(Name) eq 'x' and trim(Note) ne ''",
  'substring(Name,1,2) eq substring(Note,Age)',
  "matchesPattern(Name,'^a[b-d]+$')",
  'Age div 2 mod 3 eq 1',
  'round(Score) eq 3',
  'year(Born) eq 2024 and hour(Shift) lt 9 and fractionalseconds(Seen) eq 0.5',
  'Active and Active eq true',
  'Groups/any()',
  "Groups/any(g:g/Weight gt 1 and g/Tags/all(t:t/Label ne 'x' and t/Since ge 2024-01-01))",
  "Emails/any(e:endswith(e,'.com'))",
  'Groups/$filter(Weight gt 1)/$count($filter=Name eq null) gt 2',
  'case(Age gt 1:1,true:0) eq 1',
  "cast(Age,Edm.String) eq '5'",
];

describe.each(['sqlite', 'postgres'] as const)('the SQL of %s', (dialect) => {
  test.each(filters)('for %s', (filter) => {
    const { text, parameters } = where(dialect, filter)!;
    expect(`${text} ${JSON.stringify(parameters)}`).toMatchSnapshot();
  });
});

test('SQL contains placeholders instead of text of the query', () => {
  const nasty = `'"; DROP TABLE person; --\\ $1 ?`;
  const literal = `'${nasty.replaceAll("'", "''")}'`;
  const filter = `Name eq ${literal} or contains(Name,${literal}) or Name in (${literal}) or matchesPattern(Name,'DROP')`;
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const sql = where(dialect, filter);
    expect(sql?.text).not.toMatch(/DROP|--/);
    expect(sql?.parameters.flat()).toContain(nasty);
  }
});

test('placeholders continue the numbers of the caller, and those of orderby the numbers of where', () => {
  const sql = toSql(query("Name eq 'a'", "indexof(Name,Note) desc,concat(Name,'x')"), 'postgres', {
    mapping,
    row: 'p',
    firstParameter: 3,
  });
  expect(sql).toEqual({
    where: { text: '(p."name" = $3::text)', parameters: ['a'] },
    orderby: {
      text: `(strpos(p."name", p."note") - 1) DESC NULLS LAST, (p."name" || $4::text) COLLATE "C" ASC NULLS FIRST`,
      parameters: ['x'],
    },
  });
});

test('SQL is undefined without $filter and $orderby', () => {
  expect(toSql({ filter: undefined, orderby: [] }, 'sqlite', { mapping })).toEqual({
    where: undefined,
    orderby: undefined,
  });
});

test('throws TypeError for a property without a mapping', () => {
  expect(() => toSql(query("Name eq 'a'"), 'sqlite', { mapping: { columns: {} } })).toThrow(TypeError);
});

describe('the length of SQL is linear in the length of the query', () => {
  const nested = (depth: number, wrap: (inner: string) => string, innermost: string): string =>
    Array.from({ length: depth }).reduce<string>((inner) => wrap(inner), innermost);

  test.each([
    ['mod', (x: string) => `(Age mod ${x})`, (x: string) => `${x} eq 1`, 'Score'],
    ['substring', (x: string) => `length(substring(Name,${x}))`, (x: string) => `${x} eq 1`, 'Age'],
    ['round', (x: string) => `round(${x})`, (x: string) => `${x} eq 1`, 'Score'],
    ['ge', (x: string) => `case(Name ge ${x}:Note)`, (x: string) => `${x} eq 'a'`, 'Name'],
    ['endswith', (x: string) => `case(endswith(Name,${x}):Note)`, (x: string) => `${x} eq 'a'`, 'Name'],
    ['in', (x: string) => `case(${x} in ('a',null):Note)`, (x: string) => `${x} eq 'a'`, 'Name'],
  ])('with %s inside itself', (_, wrap, compare, innermost) => {
    for (const dialect of ['sqlite', 'postgres'] as const) {
      const [shallow, deep] = [10, 20].map(
        (depth) => where(dialect, compare(nested(depth, wrap, innermost)))?.text.length,
      );
      expect(deep).toBeLessThan(2.5 * (shallow ?? 0));
    }
  });
});

test('sort keys are SQL values whose placeholders continue from one to the next', () => {
  const order = query("Name eq 'x'", "concat(Name,'a') desc,Age,concat('b',Note)");
  const keys = toSqlKeys(order, 'postgres', { mapping, row: 'p', firstParameter: 3 });
  expect(keys.map(({ parameters }) => parameters)).toEqual([['a'], [], ['b']]);
  expect(keys.map(({ text }) => text.match(/\$\d/g))).toEqual([['$3'], null, ['$4']]);
  expect(keys[1]?.text).not.toMatch(/ASC|DESC|COLLATE/);
});
