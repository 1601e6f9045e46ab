import { expect, it } from 'vitest';
import { findManagerFaults, findManagerFaultsOfAll } from './managers.ts';

const stored = new Map<string, string | null>([
  ['boss', null],
  ['lead', 'boss'],
  ['nurse', 'lead'],
]);
const claims = (...given: [staffId: string, managerId: string | null | undefined][]) =>
  given.map(([staffId, managerId], i) => ({ line: i + 2, staffId, managerId }));
const linesOf = (...given: [string, string | null | undefined][]) =>
  findManagerFaults(stored, claims(...given)).map(({ line }) => line);

it('accepts existing managers, and those of the roster in any order', () => {
  expect(linesOf(['a', 'b'], ['b', 'boss'], ['nurse', 'a'], ['c', undefined], ['lead', null])).toEqual([]);
});

it('accepts a reversed hierarchy without a cycle', () => {
  expect(linesOf(['boss', 'nurse'], ['lead', null])).toEqual([]);
});

it('rejects unknown managers, self-management and cycles', () => {
  expect(linesOf(['a', 'nobody'], ['b', 'b'], ['boss', 'nurse'])).toEqual([2, 3, 4]);
  expect(linesOf(['a', 'b'], ['b', 'c'], ['c', 'a'], ['d', 'a'])).toEqual([2, 3, 4, 5]);
});

it('rejects a row together with the row that it needs', () => {
  const faults = findManagerFaults(stored, claims(['a', 'b'], ['b', 'nobody'], ['nurse', 'boss']));
  expect(faults.map(({ line }) => line)).toEqual([2, 3]);
});

it('finds the faults of a whole import in linear time', () => {
  const size = 50_000;
  const id = (i: number) => `p${i}`;
  const up = new Map(Array.from({ length: size }, (_, i) => [id(i), i + 1 < size ? id(i + 1) : null] as const));
  const down = Array.from({ length: size }, (_, i) => ({
    ...{ line: i + 2, staffId: id(i), managerId: id(Math.max(0, i - 1)) },
  }));
  expect(findManagerFaultsOfAll(up, down).map(({ line }) => line)).toEqual([2]);
});

it('finds more faults than a call can have arguments', () => {
  const size = 150_000;
  const unknown = Array.from({ length: size }, (_, i) => ({ line: i + 2, staffId: `p${i}`, managerId: 'none' }));
  expect(findManagerFaults(stored, unknown)).toHaveLength(size);
});

it('handles long chains in linear time', () => {
  const chain: [string, string][] = Array.from({ length: 50_000 }, (_, i) => [`p${i}`, i === 0 ? 'boss' : `p${i - 1}`]);
  expect(linesOf(...chain)).toEqual([]);
});
