import measure from 'fast-string-truncated-width';
import type { Output, Style } from './terminal.ts';

export interface Column {
  readonly title: string;
  /** Right for numbers. */
  readonly align?: 'left' | 'right';
  readonly style?: (cell: string) => Style | undefined;
  /** Omitted on a terminal when every cell is empty or a dash. */
  readonly isOptional?: boolean;
  /** Never truncated: its text is for copying. */
  readonly isWhole?: boolean;
}

/** A narrower column is unreadable. */
const columnWidthMin = 8;
const gap = '  ';

/**
 * Formats rows for people or programs: on a terminal a table with titles that fits its width, with the widest columns
 * truncated first; elsewhere tab-separated cells, one row per line, for tools such as `cut` and `awk`.
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
        // Trailing blanks would be copied along.
        const shown = i === columns.length - 1 ? fitted.trimEnd() : fitted;
        return style === undefined ? shown : output.style(style, shown);
      })
      .join(gap);
  const titles = columns.map(({ title }) => title);
  const lines = cells.map((row) => line(row, (column, cell) => column.style?.(cell)));
  return [line(titles, () => 'bold'), ...lines, ''].join('\n');
}

/** Returns the width of a text in columns: wide characters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  return measure(text).width;
}

function isEmptyCell(cell: string | undefined): boolean {
  return cell === undefined || cell === '' || cell === '–';
}

/** Replaces control characters, which could move the cursor or break the line. */
function toPlainCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

function fitCell(text: string, width: number, align: Column['align']): string {
  const { index, ellipsed } = measure(text, { limit: width, ellipsis: '…' });
  const shown = ellipsed ? `${text.slice(0, index)}…` : text.slice(0, index);
  const padding = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return align === 'right' ? padding + shown : shown + padding;
}

/** Shrinks the widest columns until all fit, or none can shrink further. */
function fitWidths(widths: readonly number[], areWhole: readonly boolean[], columns: number): number[] {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width, gap.length * (fitted.length - 1)) - columns;
  while (excess > 0) {
    const shrinkable = fitted.map((width, i) => (areWhole[i] ? 0 : width));
    const widest = shrinkable.indexOf(Math.max(...shrinkable));
    if ((shrinkable[widest] ?? 0) <= columnWidthMin) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
    excess--;
  }
  return fitted;
}
