import { expect, it } from 'vitest';
import { listOldestNodes, runsOn } from './node-runtime.ts';

it('tries what is published on the oldest Nodes that it promises', () => {
  expect(listOldestNodes()).toEqual(['20.10.0', '22.19.0']);
});

it.each([
  ['22.19.0', '>=22.19', true],
  ['22.18.1', '>=22.19', false],
  ['20.10.0', '>=20.10', true],
  ['20.9.0', '>=20.10', false],
  ['26.0.0', '>=22.19', true],
])('knows whether Node %s fits %s', (version, range, fits) => {
  expect(runsOn({ version }, range)).toBe(fits);
});
