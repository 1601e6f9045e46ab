import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { existingFiles, writeAllFiles } from './write-all-files.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'rostergate-init-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const files = [
  { path: 'a.json', text: 'new a' },
  { path: 'deep/er/b.json', text: 'new b' },
  { path: 'c.json', text: 'new c', mode: 0o600 },
];
const read = (path: string) => fs.readFileSync(join(folder, path), 'utf8');

it('writes every file with its permissions and creates folders', () => {
  writeAllFiles(join(folder, 'x'), files);
  expect(files.map(({ path }) => read(join('x', path)))).toEqual(['new a', 'new b', 'new c']);
  expect(fs.statSync(join(folder, 'x/c.json')).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(join(folder, 'x')).sort()).toEqual(['a.json', 'c.json', 'deep']);
});

it('returns existing files and replaces them', () => {
  fs.writeFileSync(join(folder, 'a.json'), 'old');
  expect(existingFiles(folder, files)).toEqual(['a.json']);
  writeAllFiles(folder, files);
  expect(read('a.json')).toBe('new a');
});

it('restores the old files if one file cannot be written', () => {
  fs.writeFileSync(join(folder, 'a.json'), 'old');
  fs.writeFileSync(join(folder, 'deep'), 'a file, where a folder is needed');
  expect(() => writeAllFiles(folder, files)).toThrow();
  expect(fs.readdirSync(folder).sort()).toEqual(['a.json', 'deep']);
  expect(read('a.json')).toBe('old');
});

it('removes the folders it created if it fails', () => {
  const blocked = [...files, { path: 'a.json/b', text: '' }];
  expect(() => writeAllFiles(join(folder, 'x/y'), blocked)).toThrow();
  expect(fs.readdirSync(folder)).toEqual([]);
});
