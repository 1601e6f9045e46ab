import { expect, it } from 'vitest';
import { listOldestNodes, runsOn } from './user-project.ts';

it('lists the oldest supported Node versions', () => {
  expect(listOldestNodes()).toEqual(['20.10.0', '22.19.0']);
});

it.each([
  ['22.19.0', '>=22.19', true],
  ['22.18.1', '>=22.19', false],
  ['20.10.0', '>=20.10', true],
  ['20.9.0', '>=20.10', false],
  ['26.0.0', '>=22.19', true],
])('checks Node %s against %s', (version, range, fits) => {
  expect(runsOn({ version }, range)).toBe(fits);
});
