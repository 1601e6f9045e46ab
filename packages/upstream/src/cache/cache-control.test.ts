import { describe, expect, it } from 'vitest';
import { fieldNamesOf, parseCacheControl, secondsOf, toPrivateCacheControl } from './cache-control.ts';

describe('parseCacheControl', () => {
  it('reads directives in any case, with quoted arguments', () => {
    expect([...parseCacheControl('Max-Age=5 , no-cache="a, b",,private, x=,y="\\"z"')]).toEqual([
      ['max-age', '5'],
      ['no-cache', 'a, b'],
      ['private', true],
      ['x', ''],
      ['y', '"z'],
    ]);
    expect(parseCacheControl(undefined).size).toBe(0);
  });

  it.each([
    ['a="max-age=5, no-store", max-age=10', ['a', 'max-age'], 10],
    ['max-age=10, max-age=50', ['max-age'], 10],
    ['max-age="15"', ['max-age'], 15],
    ['max-age=0010', ['max-age'], 10],
    ['max-age=99999999999999999999', ['max-age'], 2 ** 31],
    ['max-age=10 20', ['max-age'], 0],
    ['max-age =10', ['max-age'], 0],
    ['max-age= 10', ['max-age'], 0],
    ['max-age="10"a', ['max-age'], 0],
    ["max-age='10'", ['max-age'], 0],
    ['max-age', ['max-age'], 0],
    ['max-age=', ['max-age'], 0],
    ['max-age=-1', ['max-age'], 0],
    ['max-age=+1', ['max-age'], 0],
    ['max-age=1.5', ['max-age'], 0],
    ['max-age=1e3', ['max-age'], 0],
    ['max-age=10a', ['max-age'], 0],
    ['x-max-age=10', ['x-max-age'], undefined],
    ['a="b, max-age=10', ['a'], undefined],
    ['; max-age=10', [], undefined],
  ])('%s: max-age is %s', (value, names, seconds) => {
    const directives = parseCacheControl(value);
    expect([[...directives.keys()], secondsOf(directives, 'max-age')]).toEqual([names, seconds]);
  });

  it.each([
    ['no-cache="A, b"', ['a', 'b']],
    ['no-cache=a', ['a']],
    ['no-cache', undefined],
    ['no-cache=""', undefined],
    ['no-cache="a b"', undefined],
    ['max-age=1', undefined],
  ])('%s limits no-cache to %s', (value, names) => {
    expect(fieldNamesOf(parseCacheControl(value), 'no-cache')).toEqual(names);
  });
});

describe('toPrivateCacheControl', () => {
  it.each([
    ['', 'private'],
    ['max-age=5', 'private, max-age=5'],
    ['public, max-age=5, s-maxage=9, proxy-revalidate', 'private, max-age=5'],
    ['no-cache="a b", immutable', 'private, no-cache="a b", immutable'],
    ['private, max-age=5', 'private, max-age=5'],
    ['private="x-a", max-age=5', 'private, max-age=5'],
    ['no-store', 'no-store'],
    ['no-store, must-understand, max-age=5', 'private, no-store, must-understand, max-age=5'],
  ])('%j is %j', (given, declared) => {
    expect(toPrivateCacheControl(given)).toBe(declared);
  });
});
