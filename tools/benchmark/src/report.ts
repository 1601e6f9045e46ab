import { alignColumns } from './align-columns.ts';
import type { Comparison } from './compare-servers.ts';
import type { Figure } from './figure.ts';

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

const width = 760;
const nameWidth = 230;
const barWidth = 400;
const rowHeight = 20;

/** Returns an SVG of the CPU per request; each comparison has its own scale, and our server its own colour. */
export function createChart(comparisons: readonly Comparison[], setting: string): string {
  let y = 48;
  const parts: string[] = [];
  for (const { title, servers } of comparisons) {
    const most = Math.max(...servers.map(({ cpuUs }) => cpuUs));
    parts.push(text(12, y, title, 'font-weight="bold"'));
    y += 10;
    for (const [n, { name, cpuUs, perSecond }] of servers.entries()) {
      const long = Math.max(1, (cpuUs / most) * barWidth);
      parts.push(text(nameWidth, y + 14, name, 'text-anchor="end"'));
      parts.push(
        `<rect x="${nameWidth + 8}" y="${y + 3}" width="${long.toFixed(1)}" height="14" fill="${n === 0 ? '#0b6e4f' : '#9aa5b1'}"/>`,
      );
      const figures = `${cpuUs.toPrecision(3)} µs, ${Math.round(perSecond).toLocaleString('en')}/s`;
      parts.push(text(nameWidth + 14 + long, y + 14, figures));
      y += rowHeight;
    }
    y += 26;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="12" role="img">
<title>CPU per request, and requests per second</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${text(12, 20, `CPU per request, and requests per second. ${setting}`, 'font-size="11" fill="#52606d"')}
${parts.join('\n')}
</svg>
`;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x.toFixed(1)}" y="${y}"${attributes && ` ${attributes}`}>${escaped}</text>`;
}
