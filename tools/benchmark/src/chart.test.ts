import { expect, it } from 'vitest';
import { createChart } from './chart.ts';

const server = { perSecond: 40_000, p50Ms: 0.2, p99Ms: 0.5, p999Ms: 1, cpuUs: 20, memoryMb: 80 };

it('draws a bar per server, in proportion to the highest CPU per request of its comparison', () => {
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
