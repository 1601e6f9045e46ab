import { expect, it } from 'vitest';
import { parseStaffQuery } from '../staff-query.ts';
import { createListContext, parsePagePreference, prefersEnvelope } from './list-staff-members.ts';

const minimal = 'application/json;odata.metadata=minimal';

it.each([
  minimal,
  'Application/JSON; OData.Metadata=Minimal',
  'application/json;odata.metadata="minimal"',
  'application/json;odata.streaming=true;odata.metadata=minimal',
  `${minimal};q=0.5, application/json;q=0.1`,
  `application/json, ${minimal}`,
  `text/html, ${minimal};q=0.2, */*;q=0.1`,
])('returns the envelope for Accept: %s', (accept) => {
  expect(prefersEnvelope(accept)).toBe(true);
});

it.each([
  undefined,
  '*/*',
  'application/json',
  'application/json;odata.metadata=none',
  `${minimal};q=0`,
  `application/json, ${minimal};q=0.1`,
  `text/plain;x="${minimal}"`,
  `text/plain;x=", ${minimal}"`,
  'text/odata.metadata=minimal',
])('returns the bare array for Accept: %s', (accept) => {
  expect(prefersEnvelope(accept)).toBe(false);
});

it('parses hostile headers in linear time', () => {
  const read = (length: number) => {
    const started = performance.now();
    for (const part of ['"', ',', ';', '"\\', 'a;q=', 'application/json;']) {
      prefersEnvelope(`odata.metadata${part.repeat(length)}`);
    }
    return performance.now() - started;
  };
  read(100);
  expect(read(4_000)).toBeLessThan(500);
});

it.each([
  [undefined, undefined],
  ['', undefined],
  ['maxpagesize=100', 100],
  ['odata.maxpagesize=7', 7],
  ['OData.MaxPageSize="25"', 25],
  ['respond-async, wait=10, maxpagesize = 3; foo=bar', 3],
  ['handling="a, maxpagesize=9", maxpagesize=4', 4],
  ['maxpagesize=2, maxpagesize=5', 2],
  ['maxpagesize=0', undefined],
  ['maxpagesize=-1', undefined],
  ['maxpagesize=many', undefined],
  ['maxpagesize', undefined],
  ['maxpagesize=99999999999', undefined],
  ['xmaxpagesize=3', undefined],
  ['"', undefined],
])('reads from %j a page size of %s', (header, size) => {
  expect(parsePagePreference(header)).toBe(size);
});

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
