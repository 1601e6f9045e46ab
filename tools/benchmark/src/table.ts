import type { Figure } from './figure.ts';

const heads = ['', 'target', 'figure', '', ''];

/** The figures as a table of text, the numbers to the right. */
export function createTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, target, figure, unit, state, note = '' }) => [
    name,
    target,
    figure === null ? '' : `${round(figure)} ${unit}`,
    state,
    note,
  ]);
  const widths = heads.map((head, i) =>
    Math.max(...[head, ...rows.map((row) => row[i] as string)].map((t) => t.length)),
  );
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, i) => pad(cell, widths[i] as number, i === 1 || i === 2))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(cell: string, width: number, isRight: boolean): string {
  return isRight ? cell.padStart(width) : cell.padEnd(width);
}

/** Three digits say all that a measurement can. */
function round(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : String(Number(figure.toPrecision(3)));
}
