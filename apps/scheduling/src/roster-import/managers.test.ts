import { expect, it } from 'vitest';
import { findManagerFaults } from './managers.ts';

const stored = new Map<string, string | null>([
  ['boss', null],
  ['lead', 'boss'],
  ['nurse', 'lead'],
]);
const claims = (...given: [staffId: string, managerId: string | null | undefined][]) =>
  given.map(([staffId, managerId], i) => ({ line: i + 2, staffId, managerId }));
const linesOf = (...given: [string, string | null | undefined][]) =>
  findManagerFaults(stored, claims(...given)).map(({ line }) => line);

it('takes managers that are there, and that come with the roster, before or after', () => {
  expect(linesOf(['a', 'b'], ['b', 'boss'], ['nurse', 'a'], ['c', undefined], ['lead', null])).toEqual([]);
});

it('takes a turned-round order that makes no circle once all is in place', () => {
  expect(linesOf(['boss', 'nurse'], ['lead', null])).toEqual([]);
});

it('finds who names nobody, themselves, or one who answers to them', () => {
  expect(linesOf(['a', 'nobody'], ['b', 'b'], ['boss', 'nurse'])).toEqual([2, 3, 4]);
  expect(linesOf(['a', 'b'], ['b', 'c'], ['c', 'a'], ['d', 'a'])).toEqual([2, 3, 4, 5]);
});

it('lets a row fall with the one that it needs', () => {
  const faults = findManagerFaults(stored, claims(['a', 'b'], ['b', 'nobody'], ['nurse', 'boss']));
  expect(faults.map(({ line }) => line)).toEqual([2, 3]);
});

it('walks long chains at once', () => {
  const chain: [string, string][] = Array.from({ length: 50_000 }, (_, i) => [`p${i}`, i === 0 ? 'boss' : `p${i - 1}`]);
  expect(linesOf(...chain)).toEqual([]);
});
