import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { costRatio, leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import { numbersOfOneHash } from '../../../../tools/workspace/numbers-of-one-hash.ts';
import { createDuplicateSearch } from './unique-items.ts';

it.each<[string, readonly [number, number] | undefined]>([
  ['[1,2,"1",true,"true",null,"null"]', undefined],
  ['[1,2,1.0]', [0, 2]],
  ['[0,-0]', [0, 1]],
  ['[{"a":1,"b":[2]},{},{"b":[2.0],"a":1}]', [0, 2]],
  ['[[1,2],[2,1],["1,2"],[12],["1",2]]', undefined],
  ['[{"a":"#0"},{"a":{}},{"a":{}}]', [1, 2]],
  ['[["#0"],[{}],[[]],[null],["null"]]', undefined],
  ['[0,{},[],{"0":0}]', undefined],
  ['["1","\\"1","\\"\\"1",{"1":1},{"\\"1":1}]', undefined],
  ['[{"valueOf":1},{"toString":1},{"toString":1}]', [1, 2]],
  ['[{"constructor":{}},{"constructor":{}}]', [0, 1]],
  ['[{"__proto__":1},{"__proto__":2},{"__proto__":1}]', [0, 2]],
])('finds the equal items in %s', (json, expected) => {
  expect(createDuplicateSearch()(JSON.parse(json))).toEqual(expected);
});

it('agrees with a comparison of all pairs', () => {
  const item = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(0, 1, '0', '#0', '', null, true),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '"', '1', '"1', 'valueOf', 'constructor'), tie('value'), { maxKeys: 2 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (list) => {
      // Without the null prototypes of generated objects, which isDeepStrictEqual compares.
      const plain = JSON.parse(JSON.stringify(list)) as unknown[];
      const hasPair = plain.some((one, i) => plain.some((other, j) => j > i && isDeepStrictEqual(one, other)));
      expect(createDuplicateSearch()(plain) !== undefined).toBe(hasPair);
    }),
    { numRuns: 2_000 },
  );
});

it('takes linear time at any depth', () => {
  const wide = Array.from({ length: 100_000 }, (_, i) => ({ id: i, name: `n${i}` }));
  const searchAll = () => {
    const search = createDuplicateSearch();
    let deep: unknown[] = wide;
    expect(search(wide)).toBeUndefined();
    for (let i = 0; i < 500; i++) {
      deep = [deep, i];
      expect(search(deep)).toBeUndefined();
    }
  };
  // A walk of all items at each depth would take a minute.
  expect(leastCpuMs(searchAll, { msMax: 5_000 })).toBeLessThan(5_000);
});

it.each<[string, (number: number) => unknown]>([
  ['numbers', (number: number) => number],
  ['lists', (number: number) => [number]],
  ['objects', (number: number) => ({ id: number })],
  ['members that other comparisons call', (number: number) => ({ constructor: {}, valueOf: number })],
])('takes linear time for %s that the engine keeps in one place', (_, itemOf) => {
  const hostile = numbersOfOneHash(16_000);
  const [crafted, others] = [hostile.map(itemOf), hostile.map((_, i) => itemOf(i))];
  const search = (list: readonly unknown[]) => () => expect(createDuplicateSearch()(list)).toBeUndefined();
  // Quadratic time is a hundred times as long.
  expect(costRatio({ run: search(crafted), peer: search(others), ratioMax: 10 })).toBeLessThan(10);
});

it('takes linear time for lists of values that resemble each other', () => {
  // Each place of a list has one of two values: if their hashes were equal, those of all lists would be.
  const pairs = [...'1234567890123'].map((digit, i) => [`${digit}${i}`, `"${digit}${i}`]);
  const numbers = pairs.map((_, i) => [i ^ 4, `n${i}`]);
  const listsOf = (all: unknown[][]) =>
    Array.from({ length: 2 ** all.length }, (_, n) => all.map((pair, i) => pair[(n >> i) & 1]));
  const plain = listsOf(pairs.map((_, i) => [`a${i}`, `b${i}`]));
  const search = (list: readonly unknown[]) => () => expect(createDuplicateSearch()(list)).toBeUndefined();
  for (const crafted of [listsOf(pairs), listsOf(numbers)]) {
    expect(costRatio({ run: search(crafted), peer: search(plain), ratioMax: 10 })).toBeLessThan(10);
  }
});
