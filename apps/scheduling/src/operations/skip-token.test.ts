import type { PrimitiveType } from '@rostergate/odata';
import { Problem } from '@rostergate/server/problem';
import { describe, expect, it } from 'vitest';
import { createLink, createSkipToken, digestQuery, parseSkipToken } from './skip-token.ts';

const scope = { companyKey: 'demo', isAdmin: true };
const digest = digestQuery('companyKey=demo&$orderby=City', scope);
const orderby = ['Edm.String', 'Edm.String', 'Edm.Decimal', 'Edm.Boolean'].map((type) => ({
  expression: { kind: 'property', variable: 0, path: ['x'], type: type as PrimitiveType, nullable: true } as const,
  descending: false,
}));
const start = { after: { staffKey: "O'Neil-42", keys: ['Łódź', null, 1.5, true] }, delivered: 20, pageSize: 10 };

describe('a skip token', () => {
  it('returns the place that it was created from', () => {
    expect(parseSkipToken(createSkipToken(start, digest), digest, orderby)).toEqual(start);
  });

  it.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, 2 ** 53])(
    'preserves the number %d exactly',
    (number) => {
      const keys = ['', null, number, false];
      const token = createSkipToken({ ...start, after: { staffKey: 'a', keys } }, digest);
      expect(parseSkipToken(token, digest, orderby).after.keys).toEqual(keys);
    },
  );

  it.each(['INF', '\ud800', '\udfff😀', 'a\0b', '2024-01-01T00:00:00', '[1]', 'null', '{"number":"INF"}'])(
    'preserves the text %j exactly',
    (text) => {
      const keys = [text, text, null, null];
      const token = createSkipToken({ ...start, after: { staffKey: text, keys } }, digest);
      expect(parseSkipToken(token, digest, orderby).after).toEqual({ staffKey: text, keys });
    },
  );

  it.each([
    ['another query', createSkipToken(start, digestQuery('companyKey=demo', scope))],
    ['an account that sees less', createSkipToken(start, digestQuery('companyKey=demo', { ...scope, isAdmin: false }))],
    ['another order', createSkipToken({ ...start, after: { staffKey: 'a', keys: [] } }, digest)],
    ['another form', 'eyJhIjoxfQ'],
    ['no JSON', '!!!'],
    ['half a token', createSkipToken(start, digest).slice(0, 30)],
    ['an empty page', createSkipToken({ ...start, pageSize: 0 }, digest)],
    [
      'values of other types',
      createSkipToken({ ...start, after: { staffKey: 'a', keys: ['', '', '1', true] } }, digest),
    ],
    [
      'objects for values',
      createSkipToken({ ...start, after: { staffKey: 'a', keys: ['', '', {}, true] as never } }, digest),
    ],
    [
      'a number that is none',
      createSkipToken({ ...start, after: { staffKey: 'a', keys: ['', '', { number: 'x' }, true] as never } }, digest),
    ],
  ])('of %s is rejected', (_, token) => {
    expect(() => parseSkipToken(token, digest, orderby)).toThrow(Problem);
  });

  it('is valid for the same query with any token', () => {
    expect(digestQuery('companyKey=demo&%24skiptoken=abc&$orderby=City', scope)).toBe(digest);
  });
});

describe('the link to the next page', () => {
  it.each([
    [
      'companyKey=demo&$filter=LastName%20eq%20%27O%27%27Neil%27',
      'companyKey=demo&$filter=LastName%20eq%20%27O%27%27Neil%27&',
    ],
    ["companyKey=demo&$filter=City%20eq%20'Bern'", "companyKey=demo&$filter=City%20eq%20'Bern'&"],
    ['companyKey=demo&$deltatoken=old', 'companyKey=demo&'],
    ['$skiptoken=old&companyKey=demo', 'companyKey=demo&'],
    ['companyKey=demo&%24skiptoken=old', 'companyKey=demo&'],
    ['companyKey="de<mo>\u00e9', 'companyKey=%22de%3Cmo%3E%E9&'],
    ['', ''],
  ])('preserves %s except the token', (query, others) => {
    expect(createLink(query, '$skiptoken', 'new')).toBe(`staffmember?${others}$skiptoken=new`);
  });

  it('has no character that URL parsers encode but the quote', () => {
    const characters = Array.from({ length: 0xe0 }, (_, i) => String.fromCharCode(0x20 + i));
    const query = `companyKey=demo&$filter=${characters.join('').replace(/[&']/g, '')}`;
    const link = createLink(query, '$skiptoken', 'new');
    const { search } = new URL(link, 'http://staff.example/v2/');
    expect(`staffmember${search}`).toBe(link);
    expect(digestQuery(search.slice(1), scope)).toBe(digestQuery(query, scope));
  });

  it('has a token that is valid whether the client encodes quotes or not', () => {
    const query = "companyKey=demo&$filter=City eq 'x'";
    const { search } = new URL(createLink(query, '$skiptoken', 'new'), 'http://staff.example/v2/');
    expect(search).toContain('%27x%27');
    expect(digestQuery(search.slice(1), scope)).toBe(digestQuery(query, scope));
  });

  it('is longer than a valid query by its token only', () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `'S-${10_000_000 + i}'`);
    const query = `companyKey=demo&$filter=StaffId%20in%20(${ids.join(',')})`;
    expect(createLink(query, '$skiptoken', 'new')).toBe(`staffmember?${query}&$skiptoken=new`);
  });
});
