/** Rows of as many cells each as lines of text, every column as wide as its widest cell; these to the right. */
export function alignColumns(rows: readonly (readonly string[])[], toTheRight: readonly number[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const pad = (cell: string, i: number) =>
    toTheRight.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
