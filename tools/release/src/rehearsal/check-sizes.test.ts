import { expect, it } from 'vitest';
import { checkSizes } from './check-sizes.ts';

const pets = { name: 'pets', packedBytes: 10_000, unpackedBytes: 40_001, files: ['a', 'b'] };

it('accepts a package at its limits', () => {
  expect(checkSizes([pets], { pets: { packedKb: 10, unpackedKb: 41, files: 2 } })).toBe(
    '10 kB in 1 packages, each within its limit',
  );
});

it.each([
  [{ packedKb: 9, unpackedKb: 41, files: 2 }, 'pets has 10 kB packed; its limit is 9.'],
  [{ packedKb: 10, unpackedKb: 40, files: 2 }, 'pets has 41 kB unpacked; its limit is 40.'],
  [{ packedKb: 10, unpackedKb: 41, files: 1 }, 'pets has 2 files; its limit is 1.'],
])('rejects a package above %j', (limit, fault) => {
  expect(() => checkSizes([pets], { pets: limit })).toThrow(fault);
});

it('requires a limit for each package and a package for each limit', () => {
  const cats = { packedKb: 1, unpackedKb: 1, files: 1 };
  expect(() => checkSizes([pets], { cats })).toThrow(/pets has no limit\.\ncats has a limit, but is not published\./);
});
