import { alignColumns } from './align-columns.ts';
import type { Figure } from './figure.ts';
import type { Comparison } from './side-by-side.ts';

/** Returns the figures as a text table with right-aligned numbers. */
export function createTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, target, figure, unit, state, note = '' }) => [
    name,
    target,
    figure === null ? '' : `${round(figure)} ${unit}`,
    state,
    note,
  ]);
  return alignColumns([['', 'target', 'figure', '', ''], ...rows], [1, 2]);
}

/** Returns the figures of each server, grouped by comparison. */
export function createServerTable(comparisons: readonly Comparison[]): string {
  return comparisons
    .map(({ title, servers }) => {
      const rows = servers.map(({ name, perSecond, p50Ms, p99Ms, p999Ms, cpuUs, memoryMb }) => [
        name,
        ...[Math.round(perSecond), round(p50Ms), round(p99Ms), round(p999Ms), round(cpuUs), round(memoryMb)].map(
          String,
        ),
      ]);
      const heads = [title, 'requests/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs', 'MB'];
      return alignColumns([heads, ...rows], [1, 2, 3, 4, 5, 6]);
    })
    .join('\n\n');
}

/** Rounds to three digits: measurements are no more exact. */
function round(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : String(Number(figure.toPrecision(3)));
}
