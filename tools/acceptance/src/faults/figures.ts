/** Figures that a test has measured, printed as a table for whoever reads the run. */
export interface Figures {
  add(row: readonly (string | number)[]): void;
  print(): void;
}

export function createFigures(title: string, columns: readonly string[]): Figures {
  const rows: string[][] = [];
  return {
    add: (row) => void rows.push(row.map((cell) => (typeof cell === 'number' ? String(Math.round(cell)) : cell))),
    print() {
      const all = [[...columns], ...rows];
      const widths = columns.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
      const lines = all.map((row) =>
        row
          .map((cell, i) => cell.padEnd(widths[i] as number))
          .join('  ')
          .trimEnd(),
      );
      process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
    },
  };
}
