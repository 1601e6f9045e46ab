import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkFiles, checkSizes, checkTypes } from './check-packages.ts';
import { readPackage } from './published-package.ts';

const good = {
  'package.json': JSON.stringify({
    name: 'pets',
    version: '1.0.0',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  }),
  'index.js': 'export const pets = [];\n',
  'index.d.ts': 'export declare const pets: string[];\n',
  'README.md': '# Pets\n',
  LICENSE: 'MIT\n',
};

/** Packs a package of these files. */
async function pack(files: Readonly<Record<string, string | undefined>>) {
  const folder = mkdtempSync(join(tmpdir(), 'shape-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ...good, ...files })) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, 'package', path)), { recursive: true });
    writeFileSync(join(folder, 'package', path), text);
  }
  execFileSync('tar', ['-czf', 'pets.tgz', 'package'], { cwd: folder });
  return readPackage(join(folder, 'pets.tgz'), join(folder, 'package'));
}

it('accepts a correct package', async () => {
  const packages = [await pack({})];
  expect(await checkFiles(packages)).toBe('nothing found in 1 packages');
  expect(await checkTypes(packages)).toBe('nothing found in 1 packages');
});

it('accepts a package that is only a command', async () => {
  const { exports: _, ...manifest } = JSON.parse(good['package.json']);
  const command = JSON.stringify({ ...manifest, bin: { pets: './index.js' } });
  const files = {
    'package.json': command,
    'index.js': `#!/usr/bin/env node\n${good['index.js']}`,
    'index.d.ts': undefined,
  };
  const packages = [await pack(files)];
  expect(await checkFiles(packages)).toBe('nothing found in 1 packages');
  expect(await checkTypes(packages)).toBe('nothing found in 1 packages');
});

it.each([
  ['an export without its file', { 'index.js': undefined }, 'index.js'],
  ['no README', { 'README.md': undefined }, 'pets: has no README.md.'],
  ['a test file', { 'dist/pets.test.js': '' }, 'pets: contains dist/pets.test.js, which must not be published.'],
  [
    'a dependency on the checkout',
    { 'package.json': good['package.json'].replace('}}', '}},"dependencies":{"cats":"workspace:*"}') },
    'pets: depends on packages of this checkout.',
  ],
])('rejects a package with %s', async (_, files, fault) => {
  await expect(checkFiles([await pack(files)])).rejects.toThrow(fault);
});

it.each([
  ['without types', { 'index.d.ts': undefined }, 'pets'],
  ['whose types declare a missing default export', { 'index.js': 'module.exports = [];\n' }, 'pets'],
])('rejects a package %s', async (_, files, fault) => {
  await expect(checkTypes([await pack(files)])).rejects.toThrow(fault);
});

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
