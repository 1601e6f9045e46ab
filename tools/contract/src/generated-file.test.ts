import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeGeneratedFolder } from './generated-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'generated-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('does not write an unchanged file', () => {
  const path = join(folder, 'a.ts');
  writeFileSync(path, 'same');
  utimesSync(path, 1, 1);
  writeGeneratedFolder(folder, { 'a.ts': 'same' });
  expect(statSync(path).mtimeMs).toBe(1000);
  writeGeneratedFolder(folder, { 'a.ts': 'other' });
  expect(readFileSync(path, 'utf8')).toBe('other');
});

it('removes obsolete files, except files of other tasks', () => {
  for (const file of ['old.ts', 'other.yaml']) writeFileSync(join(folder, file), '');
  writeGeneratedFolder(folder, { 'a.ts': '' }, ['other.yaml']);
  expect(readdirSync(folder).sort()).toEqual(['a.ts', 'other.yaml']);
});
