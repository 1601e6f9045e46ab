import { expect, it } from 'vitest';
import { judge, notRun } from './figure.ts';
import { createTable } from './table.ts';

it('shows every figure beside its target, with what is worth knowing', () => {
  const figures = [
    judge({ name: 'longest pause', max: 20, unit: 'ms' }, 9.8765, 'of 3 reloads'),
    judge({ name: 'memory', max: 130, unit: 'MB' }, 131.4),
    notRun({ name: 'nginx', max: 5, unit: '×' }, 'not installed'),
  ];
  expect(createTable(figures)).toBe(
    [
      '                 target   figure',
      'longest pause   ≤ 20 ms  9.88 ms  held     of 3 reloads',
      'memory         ≤ 130 MB   131 MB  short',
      'nginx             ≤ 5 ×           not-run  not installed',
    ].join('\n'),
  );
});
