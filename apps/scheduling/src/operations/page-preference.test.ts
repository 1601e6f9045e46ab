import { expect, it } from 'vitest';
import { parsePagePreference } from './page-preference.ts';

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
])('takes from %j a page of %s', (header, size) => {
  expect(parsePagePreference(header)).toBe(size);
});
