import measure from 'fast-string-truncated-width';
import type { Output, Style } from './terminal.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly align?: 'left' | 'right';
  readonly style?: (cell: string) => Style | undefined;
  /** Left out of a terminal when no row has anything there: nothing, or a dash. */
  readonly isOptional?: boolean;
  /** Never cut, however narrow the terminal is: it is there to be copied. */
  readonly isWhole?: boolean;
}

/** Narrower than this a column tells nothing. */
const columnWidthMin = 8;
const gap = '  ';

/**
 * Rows for people or for programs: on a terminal a table with titles that fits its width, the widest columns cut
 * first; elsewhere the bare cells, whole, a line a row and tabs between, for `cut`, `awk` and the like.
 */
export function formatTable(all: readonly Column[], rows: readonly (readonly string[])[], output: Output): string {
  if (!output.isTerminal) return rows.map((row) => `${row.map(toPlainCell).join('\t')}\n`).join('');
  const shown = all.map(({ isOptional }, i) => !isOptional || rows.some((row) => !isEmptyCell(row[i])));
  const columns = all.filter((_, i) => shown[i]);
  const cells = rows.map((row) => row.filter((_, i) => shown[i]).map(toPlainCell));
  const widths = fitWidths(
    columns.map(({ title }, i) => Math.max(widthOf(title), ...cells.map((row) => widthOf(row[i] ?? '')))),
    columns.map(({ isWhole }) => isWhole === true),
    output.columns,
  );
  const line = (row: readonly string[], styleOf: (column: Column, cell: string) => Style | undefined) =>
    columns
      .map((column, i) => {
        const cell = row[i] ?? '';
        const style = styleOf(column, cell);
        const fitted = fitCell(cell, widths[i] ?? 0, column.align);
        // No blanks at the end of a line, which would be copied along.
        const shown = i === columns.length - 1 ? fitted.trimEnd() : fitted;
        return style === undefined ? shown : output.style(style, shown);
      })
      .join(gap);
  const titles = columns.map(({ title }) => title);
  const lines = cells.map((row) => line(row, (column, cell) => column.style?.(cell)));
  return [line(titles, () => 'bold'), ...lines, ''].join('\n');
}

/** How many columns of a terminal a text takes: wide characters and emoji two, combining marks none. */
export function widthOf(text: string): number {
  return measure(text).width;
}

function isEmptyCell(cell: string | undefined): boolean {
  return cell === undefined || cell === '' || cell === '–';
}

/** Text from a file may hold anything: nothing in it moves the cursor or breaks the line. */
function toPlainCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

function fitCell(text: string, width: number, align: Column['align']): string {
  const { index, ellipsed } = measure(text, { limit: width, ellipsis: '…' });
  const shown = ellipsed ? `${text.slice(0, index)}…` : text.slice(0, index);
  const padding = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return align === 'right' ? padding + shown : shown + padding;
}

/** Takes from the widest columns until all fit, or none can give any more. */
function fitWidths(widths: readonly number[], areWhole: readonly boolean[], columns: number): number[] {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width, gap.length * (fitted.length - 1)) - columns;
  while (excess > 0) {
    const givable = fitted.map((width, i) => (areWhole[i] ? 0 : width));
    const widest = givable.indexOf(Math.max(...givable));
    if ((givable[widest] ?? 0) <= columnWidthMin) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
    excess--;
  }
  return fitted;
}
