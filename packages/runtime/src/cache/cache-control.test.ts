import { expect, it } from 'vitest';
import { parseCacheControl, toPrivateCacheControl } from './cache-control.ts';

it('reads directives in any case, with quoted values', () => {
  expect([...parseCacheControl('Max-Age=5 , no-cache="a, b",,private, x=')]).toEqual([
    ['max-age', '5'],
    ['no-cache', 'a, b'],
    ['private', true],
    ['x', true],
  ]);
  expect(parseCacheControl(undefined).size).toBe(0);
});

it.each([
  ['', 'private'],
  ['max-age=5', 'private, max-age=5'],
  ['public, max-age=5, s-maxage=9, proxy-revalidate', 'private, max-age=5'],
  ['no-cache="a b", immutable', 'private, no-cache="a b", immutable'],
  ['private, max-age=5', 'private, max-age=5'],
  ['no-store', 'no-store'],
])('%j for the caller alone is %j', (given, said) => {
  expect(toPrivateCacheControl(given)).toBe(said);
});
