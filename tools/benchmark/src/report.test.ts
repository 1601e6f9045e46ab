import { expect, it } from 'vitest';
import { notRun, toFigure } from './figure.ts';
import { createChart, createServerTable, createTable } from './report.ts';

it('shows every figure with its target, state and note', () => {
  const figures = [
    toFigure({ name: 'longest pause', max: 20, unit: 'ms' }, 9.8765, 'of 3 reloads'),
    toFigure({ name: 'memory', max: 130, unit: 'MB' }, 131.4),
    notRun({ name: 'nginx', max: 5, unit: '×' }, 'not installed'),
  ];
  expect(createTable(figures)).toBe(
    [
      '                 target   figure',
      'longest pause   ≤ 20 ms  9.88 ms  pass     of 3 reloads',
      'memory         ≤ 130 MB   131 MB  fail',
      'nginx             ≤ 5 ×           not-run  not installed',
    ].join('\n'),
  );
});

it('shows the figures of compared servers', () => {
  const server = { perSecond: 41_234.5, p50Ms: 0.1834, p99Ms: 0.5, p999Ms: 1.25, cpuUs: 20.04, memoryMb: 80.5 };
  const servers = [
    { name: 'ours', ...server },
    { name: 'another', ...server, memoryMb: 120.4 },
  ];
  expect(createServerTable([{ title: 'local', servers }])).toBe(
    [
      'local    requests/s  p50 ms  p99 ms  p99.9 ms  CPU µs    MB',
      'ours          41235   0.183     0.5      1.25      20  80.5',
      'another       41235   0.183     0.5      1.25      20   120',
    ].join('\n'),
  );
});

it('draws a bar per server, in proportion to the highest CPU per request of its comparison', () => {
  const server = { perSecond: 40_000, p50Ms: 0.2, p99Ms: 0.5, p999Ms: 1, cpuUs: 20, memoryMb: 80 };
  const servers = [
    { ...server, name: 'ours', cpuUs: 10 },
    { ...server, name: 'theirs & others' },
  ];
  const chart = createChart([{ title: 'forwarding', servers }], '2026-01-01, 2 cores');
  expect([...chart.matchAll(/<rect x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, width]) => width)).toEqual([
    '200.0',
    '400.0',
  ]);
  expect(chart).toContain('theirs &amp; others');
  expect(chart).toContain('2026-01-01, 2 cores');
  expect(chart).toContain('20.0 µs, 40,000/s');
});
