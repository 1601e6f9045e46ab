import { alignColumns } from '../../../benchmark/src/align-columns.ts';

/** Figures measured by a test, printed as a table. */
export interface Figures {
  add(row: readonly (string | number)[]): void;
  print(): void;
}

export function createFigures(title: string, columns: readonly string[]): Figures {
  const rows: string[][] = [];
  return {
    add: (row) => void rows.push(row.map((cell) => (typeof cell === 'number' ? String(Math.round(cell)) : cell))),
    print() {
      const lines = alignColumns([columns, ...rows], []).split('\n');
      process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
    },
  };
}
