import { describe, expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';
import { formatTable, widthOf } from './text-table.ts';

function outputOf(columns: number | undefined, env: Record<string, string> = { NO_COLOR: '1' }) {
  const stream = { write: () => true, isTTY: columns !== undefined, columns };
  return createTerminal({ stdout: stream, stderr: stream, env }).out;
}

const columns = [{ title: 'NAME' }, { title: 'LIMIT', align: 'right' as const }];

describe('formatTable', () => {
  it('aligns wide characters, combining marks and emoji', () => {
    const table = formatTable(
      columns,
      [
        ['東京', '5'],
        ['e\u0301t\u00e9', '10'],
        ['👩‍💻 ops', '1'],
      ],
      outputOf(80),
    );
    const lines = table.trimEnd().split('\n');
    expect(lines.slice(1).map(widthOf)).toEqual(lines.slice(1).map(() => widthOf(lines[0] as string)));
  });

  it('truncates the widest column to fit the terminal', () => {
    const table = formatTable(columns, [['x'.repeat(100), '60']], outputOf(40));
    expect(table.split('\n').map(widthOf)).toEqual([40, 40, 0]);
    expect(table).toContain('x…');
  });

  it('never truncates a whole column', () => {
    const whole = [{ title: 'PATH', isWhole: true }, { title: 'SERVICE' }];
    const path = `/${'p'.repeat(50)}`;
    expect(formatTable(whole, [[path, 's'.repeat(30)]], outputOf(40))).toContain(`${path}  sssssss…`);
  });

  it('omits an empty optional column on a terminal only', () => {
    const optional = [{ title: 'PATH' }, { title: 'SCOPES', isOptional: true }, { title: 'CACHE', isOptional: true }];
    const rows = [
      ['/a', '–', '–'],
      ['/b', '', '5 s'],
    ];
    expect(formatTable(optional, rows, outputOf(80))).toBe('PATH  CACHE\n/a    –\n/b    5 s\n');
    expect(formatTable(optional, rows, outputOf(undefined))).toBe('/a\t–\t–\n/b\t\t5 s\n');
  });

  it('never truncates and prints no titles without a terminal', () => {
    expect(formatTable(columns, [['x'.repeat(300), '60']], outputOf(undefined))).toBe(`${'x'.repeat(300)}\t60\n`);
  });

  it('replaces characters that move the cursor, break the line or add a column', () => {
    const cell = 'a\x1b[2Jb\nc\td\u202ee';
    expect(formatTable(columns, [[cell, '1']], outputOf(undefined))).toBe('a [2Jb c d e\t1\n');
    expect(formatTable(columns, [[cell, '1']], outputOf(80))).toContain('\na [2Jb c d e');
  });

  it('styles a cell by its column', () => {
    const styled = [{ title: 'STATE', style: (cell: string) => (cell === 'bad' ? ('red' as const) : undefined) }];
    const table = formatTable(styled, [['bad'], ['good']], outputOf(80, { FORCE_COLOR: '1' }));
    expect(table).toContain('\x1b[31mbad\x1b[39m\ngood\n');
  });
});
