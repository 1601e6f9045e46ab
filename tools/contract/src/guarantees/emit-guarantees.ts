import type { Guarantee } from './collect-guarantees.ts';
import type { GuaranteedThings } from './find-gaps.ts';

/** The table of one subject: each thing with the guarantees that a test holds it to, linked from a page in docs/. */
export function emitGuarantees({ listed, guarantees }: GuaranteedThings, subject: string): string {
  const rows = (listed[subject] ?? []).map(({ name, description }) => {
    const held = guarantees.filter((guarantee) => guarantee.subject === subject && guarantee.name === name);
    return `| \`${name}\` | ${escapeCell(description)} | ${emitLinks(held)} |`;
  });
  return ['| name | what it is | held to it by the test |', '|---|---|---|', ...rows].join('\n');
}

/** Titles that lead to their files, one a line within a cell. */
export function emitLinks(guarantees: readonly Guarantee[]): string {
  return [...new Set(guarantees.map(({ text, file }) => `[${escapeCell(text)}](../${file})`))].join('<br>');
}

/** Text on one line that does not end the cell of a table. */
export function escapeCell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}
