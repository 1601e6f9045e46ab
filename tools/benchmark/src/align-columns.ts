/** Returns rows of cells as lines of text, each column as wide as its widest cell, the given columns right-aligned. */
export function alignColumns(rows: readonly (readonly string[])[], toTheRight: readonly number[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const pad = (cell: string, i: number) =>
    toTheRight.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
