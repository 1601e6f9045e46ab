import { type Html, html } from '../html.ts';

export interface LiveFiguresOptions {
  /** Whether the server serves metrics; otherwise the block says so. */
  readonly isServed: boolean;
  /** Whether metrics need a key; then the key checked on the page is used. */
  readonly needsKey: boolean;
}

/** Returns the charts of request rate, errors and latency, which live-figures.js draws from /metrics. */
export function createLiveFiguresBlock({ isServed, needsKey }: LiveFiguresOptions): Html {
  if (!isServed) {
    return html`<section class="figures" aria-labelledby="figures-title">
<h2 id="figures-title">Live traffic</h2>
<p class="card hint">Metrics are turned off on this server.</p>
</section>
`;
  }
  return html`<section class="figures" id="figures" aria-labelledby="figures-title" data-source="metrics?routes=5"${needsKey && html` data-needs-key`}>
<div class="head">
<h2 id="figures-title">Live traffic</h2>
<p class="hint" id="figures-state">${needsKey ? 'Metrics need a key: check one above.' : 'JavaScript draws these charts from /metrics.'}</p>
<button type="button" class="plain" id="figures-pause" aria-pressed="false" hidden>Pause</button>
</div>
<p class="card hint empty" id="figures-empty" hidden>No requests in the last 3 minutes. The rate, errors and latency of the next ones appear here within seconds.</p>
<ul class="charts" id="charts" hidden>
${charts.map(
  ({ id, title, unit, lines }) => html`<li class="card chart" id="chart-${id}">
<div class="reading">
<h3>${title}</h3>
<p class="now">${lines.map(({ name, label }) => html`<span class="value empty ${name}"${label && html` data-label="${label}"`}>–</span>`)}<span class="unit">${unit}</span></p>
</div>
<svg viewBox="0 0 240 56" preserveAspectRatio="none" role="img" aria-label="${title}: no data yet"><path class="grid" d="M0 55.5H240M0 28H240"/>${lines.map(({ name }) => html`<path class="line ${name}"/>`)}</svg>
<p class="range"><span class="peak"></span><span class="span"></span></p>
</li>
`,
)}</ul>
<details class="busiest" id="figures-routes" hidden>
<summary>Busiest routes since the start</summary>
<div class="scroll" role="region" aria-label="Busiest routes" tabindex="0">
<table>
<thead><tr><th scope="col">Route</th><th scope="col">Requests</th><th scope="col">Errors</th><th scope="col">Average</th></tr></thead>
<tbody></tbody>
</table>
</div>
</details>
</section>
`;
}

interface Chart {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly { readonly name: string; readonly label?: string }[];
}

const charts: readonly Chart[] = [
  { id: 'rate', title: 'Requests', unit: 'per second', lines: [{ name: 'rate' }] },
  { id: 'errors', title: 'Errors', unit: '% of requests', lines: [{ name: 'errors' }] },
  {
    id: 'latency',
    title: 'Latency',
    unit: 'ms',
    lines: [
      { name: 'p50', label: 'p50' },
      { name: 'p95', label: 'p95' },
    ],
  },
];

/** Returns the readiness of the server with its failed dependencies, which readiness.js updates. */
export function createReadinessBlock(): Html {
  return html`<div class="readiness" id="readiness" data-state="unknown" role="status">
<p class="state"><span class="dot" aria-hidden="true"></span><span id="readiness-state">Status unknown</span></p>
<ul id="readiness-parts" hidden></ul>
</div>
`;
}

/** Returns a form that checks a key with /auth/validate. The field has no name, so that the key never enters a URL. */
export function createKeyTesterBlock(): Html {
  return html`<section class="card tester" aria-labelledby="tester-title">
<h2 id="tester-title">Check a key</h2>
<p class="hint">Send your key as <code>X-API-Key</code> or <code>Authorization: Bearer</code>.</p>
<form id="tester" hidden>
<label for="tester-key">Your key</label>
<div class="field">
<input id="tester-key" type="password" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" required aria-describedby="tester-hint">
<button type="button" class="plain" id="tester-show" aria-pressed="false">Show</button>
</div>
<div class="buttons"><button class="main">Check key</button><button type="button" id="tester-forget" hidden>Clear</button></div>
<p class="hint" id="tester-hint">The key stays in this page’s memory until you leave.</p>
</form>
<div id="tester-verdict" class="verdict" role="status"></div>
<noscript><p>Without JavaScript, send the key to <code>/auth/validate</code>.</p></noscript>
</section>
`;
}
