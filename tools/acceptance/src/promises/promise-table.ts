import type { Outcome } from './run-promise.ts';

const heads = ['', 'promise', 'what was done', 'figure', 'state', ''];

/** The outcomes as a table of text, with why where a promise was not held. */
export function createPromiseTable(outcomes: readonly Outcome[], doneBy: ReadonlyMap<number, string>): string {
  const rows = outcomes.map(({ number, name, figure, state, tookSeconds }) => [
    String(number).padStart(2),
    name,
    doneBy.get(number) ?? '',
    figure,
    state,
    `${tookSeconds} s`,
  ]);
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => (row[i] as string).length)));
  const lines = [heads, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd(),
  );
  const notes = outcomes
    .filter(({ note }) => note !== '')
    .map(({ number, state, note }) => `${number} ${state}: ${note}`);
  return [...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}
