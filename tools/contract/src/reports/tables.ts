import { basename } from 'node:path';
import { type Guarantee, type GuaranteedThings, titleOf } from './guarantees.ts';

/** Returns the table of one subject for a page in docs/reports/: each thing with the titles of its tests. */
export function emitGuarantees({ listed, guarantees }: GuaranteedThings, subject: string): string {
  const rows = (listed[subject] ?? []).map(({ name, description }) => {
    const tests = guarantees.filter((guarantee) => guarantee.subject === subject && guarantee.name === name);
    return `| \`${name}\` | ${escapeCell(description)} | ${emitLinks(tests)} |`;
  });
  return ['| name | description | tests |', '|---|---|---|', ...rows].join('\n');
}

/** Returns test titles that link to their files, one per line within a cell. */
export function emitLinks(guarantees: readonly Guarantee[]): string {
  return [...new Set(guarantees.map(({ text, file }) => `[${escapeCell(text)}](../../${file})`))].join('<br>');
}

/** Returns the number of tests and links to their files, in one line. */
export function emitCount(guarantees: readonly Guarantee[]): string {
  const titles = new Set(guarantees.map((guarantee) => `${titleOf(guarantee)} ${guarantee.file}`));
  const files = [...new Set(guarantees.map(({ file }) => file))].sort();
  const links = files.map((file) => `[${basename(file, '.test.ts')}](../../${file})`);
  return `${titles.size}: ${links.join(', ')}`;
}

/** Returns text on one line that does not end the cell of a table. */
export function escapeCell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}
