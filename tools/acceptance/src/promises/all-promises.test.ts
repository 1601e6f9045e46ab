import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { promises } from '../../promises/index.ts';

const files = globSync('promises/*.ts').map((file) => basename(file, '.ts'));

test('every promise file is listed under its number', () => {
  const numbers = files.filter((name) => name !== 'index').map((name) => Number.parseInt(name, 10) || name);
  expect(new Set(promises.map(({ number }) => number))).toEqual(new Set(numbers));
  expect(promises).toHaveLength(numbers.length);
});

test('no trial draws random input without the seed, so that --seed repeats it', () => {
  const own = globSync(['promises/*.ts', 'src/promises/**/*.ts'], { exclude: ['**/*.test.ts', '**/promises/main.ts'] });
  const unseeded = /Math\.random\(|Date\.now\(\) *[&%|^]|fc\.sample\((?![^;]*\bseed\b)|fc\.(assert|check)\(/;
  expect(own.filter((file) => unseeded.test(readFileSync(file, 'utf8')))).toEqual([]);
});
