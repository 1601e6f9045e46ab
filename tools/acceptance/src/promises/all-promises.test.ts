import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { promises } from '../../promises/index.ts';

const files = globSync('promises/*.ts').map((file) => basename(file, '.ts'));

test('every file of a trial is listed, under its number', () => {
  const numbers = files.filter((name) => name !== 'index').map((name) => Number.parseInt(name, 10) || name);
  expect(new Set(promises.map(({ number }) => number))).toEqual(new Set(numbers));
  expect(promises).toHaveLength(numbers.length);
});
