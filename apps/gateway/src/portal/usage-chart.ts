import type { RawKeyEntry } from '@rostergate/access/keys';
import { type Html, html } from '@rostergate/pages';
import { labelOf } from './owned-keys.ts';

/** The requests of an hour by key and status class. */
export interface HourlyUsage {
  /** Hours since the epoch. */
  readonly hour: number;
  readonly key?: string;
  readonly status?: string;
  readonly requests: number;
}

/** The usage of a developer. */
export type PortalUsage =
  | { readonly state: 'off' | 'unavailable' }
  | {
      readonly state: 'read';
      readonly rows: readonly HourlyUsage[];
      readonly toHour: number;
      readonly flushSeconds: number;
    };

/** Hours that are shown. */
export const usageHours = 24;

/** Returns the chart of the last hours, or why there is none. */
export function createUsageBlock(usage: PortalUsage, keys: readonly RawKeyEntry[]): Html | false {
  if (usage.state === 'off') return false;
  const content =
    usage.state === 'read'
      ? createUsage(usage, keys)
      : html`<p class="hint">Usage cannot be read now. Your keys work.</p>`;
  return html`<section class="card" aria-labelledby="usage-title">
<h2 id="usage-title">Usage</h2>
${content}
</section>`;
}

function createUsage(
  { rows, toHour, flushSeconds }: Extract<PortalUsage, { state: 'read' }>,
  keys: readonly RawKeyEntry[],
): Html {
  const total = sum(rows);
  const failed = sum(rows.filter(isFailed));
  const delay = `New requests appear within ${flushSeconds} s.`;
  if (total === 0)
    return html`<p class="hint">No requests in the last ${usageHours} hours. Make a first call: it appears here. ${delay}</p>`;
  const hours = Array.from({ length: usageHours }, (_, i) => {
    const hour = toHour - usageHours + i;
    const of = rows.filter((row) => row.hour === hour);
    return { hour, requests: sum(of), failed: sum(of.filter(isFailed)) };
  });
  const labels = new Map(keys.map((entry) => [entry.name, labelOf(entry)]));
  const byKey = Map.groupBy(rows, ({ key = '' }) => key);
  return html`<p>${numberText(total)} ${total === 1 ? 'request' : 'requests'} in the last ${usageHours} hours, ${numberText(failed)} of them with an error.</p>
${createBars(hours)}
<p class="legend hint"><span class="swatch good"></span> successful <span class="swatch bad"></span> with an error (4xx, 5xx). Hours in UTC. ${delay}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Requests by key"><table>
<thead><tr><th scope="col">Key</th><th scope="col">Requests</th><th scope="col">With an error</th></tr></thead>
<tbody>
${[...byKey].map(
  ([
    key,
    of,
  ]) => html`<tr><th scope="row">${labels.get(key) ?? key}</th><td>${numberText(sum(of))}</td><td>${numberText(sum(of.filter(isFailed)))}</td></tr>
`,
)}</tbody>
</table></div>`;
}

interface Hour {
  readonly hour: number;
  readonly requests: number;
  readonly failed: number;
}

const [width, height, step] = [720, 160, 30];

/** Returns a bar for each hour, as SVG without styles of its own. */
function createBars(hours: readonly Hour[]): Html {
  const max = Math.max(...hours.map(({ requests }) => requests));
  const scaled = (requests: number) => (requests === 0 ? 0 : Math.max(2, (requests / max) * height));
  return html`<svg class="bars" viewBox="0 0 ${width} ${height + 24}" role="img" aria-label="Requests by hour; the most in an hour are ${numberText(max)}">
${hours.map(({ hour, requests, failed }, i) => {
  const [all, bad] = [scaled(requests), scaled(failed)];
  const x = i * step + 3;
  return html`<g><title>${clockText(hour)}: ${numberText(requests)} requests, ${numberText(failed)} with an error</title><rect class="good" x="${x}" y="${height - all}" width="${step - 6}" height="${all - bad}"/><rect class="bad" x="${x}" y="${height - bad}" width="${step - 6}" height="${bad}"/>${i % 6 === 2 && html`<text x="${x + step / 2 - 3}" y="${height + 18}">${clockText(hour)}</text>`}</g>
`;
})}<text class="top" x="0" y="14">${numberText(max)}</text><line x1="0" x2="${width}" y1="${height}" y2="${height}"/>
</svg>`;
}

function isFailed({ status = '' }: HourlyUsage): boolean {
  return status.startsWith('4') || status.startsWith('5');
}

function sum(rows: readonly HourlyUsage[]): number {
  return rows.reduce((total, { requests }) => total + requests, 0);
}

function clockText(hour: number): string {
  return `${String(hour % 24).padStart(2, '0')}:00`;
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}
