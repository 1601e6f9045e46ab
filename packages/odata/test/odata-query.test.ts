import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { bind, parseQueryOptions, toComparator, toPredicate } from '../src/index.ts';
import { people } from './people.ts';

/** An independent client. Node cannot import its ES module. */
const { default: buildQuery } = createRequire(import.meta.url)('odata-query') as typeof import('odata-query');

const day = new Date('2024-01-01T12:00:00.000Z');
const badge = '11111111-2222-3333-4444-555555555555';
const rows = [
  {
    ...{
      Key: 'a',
      Name: "O'Neil & Søn+ 100%",
      Age: 30,
      Score: 1.5,
      Active: true,
      Seen: '2024-01-01T12:00:00',
      Badge: badge,
    },
    ...{ Born: '1990-05-06', Note: null, Address: { City: 'Köln', Floor: 2 }, Emails: ['x@y.z'] },
    Groups: [{ Name: 'Blue', Weight: 2, Tags: [{ Label: 'x' }] }],
  },
  {
    ...{ Key: 'b', Name: '😀', Age: null, Score: -1, Active: false, Seen: null, Badge: null, Born: null, Note: 'n' },
    ...{ Address: { City: null, Floor: null }, Emails: [], Groups: [] },
  },
];

function keys(query: Parameters<typeof buildQuery>[0]): string[] {
  const bound = bind(parseQueryOptions(buildQuery(query).replace(/^\?/, '')), people, 'Person');
  return rows
    .filter(toPredicate(bound))
    .sort(toComparator(bound))
    .map(({ Key }) => Key);
}

test.each<[Parameters<typeof buildQuery>[0], string[]]>([
  [{ filter: { Name: "O'Neil & Søn+ 100%" } }, ['a']],
  [{ filter: { Name: '😀' } }, ['b']],
  [{ filter: { Name: { ne: null }, Age: { ge: 18, lt: 65 } } }, ['a']],
  [{ filter: { Age: null } }, ['b']],
  [{ filter: { Active: true } }, ['a']],
  [{ filter: { Seen: day } }, ['a']],
  [{ filter: { Seen: { lt: day } } }, []],
  [{ filter: { Badge: { type: 'guid', value: badge } } }, ['a']],
  [{ filter: { Key: { in: ['a', 'c'] } } }, ['a']],
  [{ filter: { Age: { in: [30, 31] } } }, ['a']],
  [{ filter: { or: [{ Age: 30 }, { Note: 'n' }] } }, ['a', 'b']],
  [{ filter: { not: { Name: '😀' } } }, ['a']],
  [{ filter: [{ Name: { contains: "'Neil" } }, { 'length(Name)': { gt: 3 } }] }, ['a']],
  [{ filter: { 'tolower(Name)': { startswith: "o'" } } }, ['a']],
  [{ filter: { Name: { endswith: '100%' } } }, ['a']],
  [{ filter: { Address: { City: 'Köln' } } }, ['a']],
  [{ filter: { 'year(Born)': { eq: 1990 } } }, ['a']],
  [{ filter: { Groups: { any: { Name: 'Blue', Weight: { gt: 1 } } } } }, ['a']],
  [{ filter: { Groups: { all: { Weight: { gt: 5 } } } } }, ['b']],
  [{ filter: { Groups: { any: { Tags: { any: { Label: 'x' } } } } } }, ['a']],
  [{ orderBy: ['Active', 'Name desc'] }, ['b', 'a']],
  [{ orderBy: [['Age', 'desc']] }, ['a', 'b']],
  [{ filter: 'Age gt 1 and Active' }, ['a']],
])('%j', (query, expected) => {
  expect(keys(query)).toEqual(expected);
});

test('rejects numbers with a suffix of OData 2', () => {
  expect(() => keys({ filter: { Score: { type: 'decimal', value: 1.5 } } })).toThrow('Expected an operator');
});

test('parses $select, $expand, $count, $top and $skip of another client', () => {
  const text = buildQuery({
    select: ['Key', 'Address/City'],
    expand: { Groups: { select: ['Name'], filter: { Weight: { gt: 1 } }, orderBy: 'Name', top: 5, expand: 'Tags' } },
    count: true,
    top: 10,
    skip: 20,
  });
  expect(bind(parseQueryOptions(text.slice(1)), people, 'Person')).toMatchObject({
    count: true,
    top: 10,
    skip: 20,
    select: [{ property: 'Key' }, { property: 'Address', select: [{ property: 'City' }] }],
    expand: [{ property: 'Groups', query: { top: 5, filter: { kind: 'compare' }, expand: [{ property: 'Tags' }] } }],
  });
});
