import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCsv } from './csv-rows.ts';

async function readAll(rows: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-csv-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'roster.csv');
  writeFileSync(path, rows.join('\n'));
  let count = 0;
  for await (const _ of (await openCsv(path)).rows()) count++;
  return count;
}

/** Rows of two lines each, to distinguish lines from rows. */
const rowsWith = (bad: string) => [
  'h,i',
  ...Array.from({ length: 3_000 }, (_, i) => (i === 2_500 ? bad : `"a\nb",${i}`)),
];

it.each([
  ['a quote within a cell', 'x"y,z'],
  ['text after a closing quote', '"x"y,z'],
  ['a quote that is not closed', '"x,z'],
  ['a row of more than 1 MB', `a,${'z'.repeat(1_100_000)}`],
])('names the line of %s, however many rows come before it', async (_what, bad) => {
  await expect(readAll(rowsWith(bad))).rejects.toMatchObject({ faults: [{ line: 5_002 }] });
  expect(await readAll(rowsWith('x,z'))).toBe(3_001);
});
