import type { Endpoint } from '@rostergate/endpoints';
import type { OpenApiDocument } from '@rostergate/runtime/contract';
import { createCurlLine } from './curl-line.ts';

export interface LandingPage {
  readonly document: OpenApiDocument;
  readonly endpoints: readonly Endpoint[];
  /** Where the server is thought to be; the page corrects it to where it was loaded from. */
  readonly origin: string;
}

/** The page holds no script and no style of its own; addresses are relative, so that a proxy may add a prefix. */
export function createLandingHtml({ document, endpoints, origin }: LandingPage): string {
  const { title, version } = document.info;
  const serves = (path: string) => path in document.paths;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/landing.css">
<script src="assets/landing.js" defer></script>
</head>
<body>
<a class="skip" href="#endpoints">Skip to the endpoints</a>
<header>
<div class="title">
<img src="assets/icon.svg" alt="" width="40" height="40">
<h1>${escapeHtml(title)}</h1>
<span class="version">${escapeHtml(version)}</span>
</div>
${serves('/health/ready') ? '<p class="state" id="state" role="status" data-state="unknown">State not known yet</p>\n' : ''}</header>
<main>
<nav aria-label="Pages">
<ul class="cards">
${links
  .filter(({ path }) => serves(path))
  .map(({ path, name, text }) => `<li><a href="${path.slice(1)}"><strong>${name}</strong><span>${text}</span></a></li>`)
  .join('\n')}
</ul>
</nav>
${serves('/auth/validate') ? keySection : ''}<section id="endpoints" aria-labelledby="endpoints-title" tabindex="-1">
<h2 id="endpoints-title">Endpoints <span class="count">${endpoints.length}</span></h2>
${endpoints.length === 0 ? '<p>None is configured. Add one to endpoints.json.</p>' : `<ul class="endpoints">\n${endpoints.map((endpoint) => createItem(document, origin, endpoint)).join('\n')}\n</ul>`}
</section>
</main>
<p class="unseen" id="said" role="status"></p>
</body>
</html>
`;
}

const links = [
  { path: '/docs', name: 'Swagger UI', text: 'Read the contract and try it' },
  { path: '/redoc', name: 'ReDoc', text: 'Read the contract at length' },
  { path: '/openapi.json', name: 'OpenAPI document', text: 'The contract for programs' },
  { path: '/health/ready', name: 'Readiness', text: 'What this server depends on' },
  { path: '/metrics', name: 'Metrics', text: 'Counts and durations' },
  { path: '/endpoints', name: 'Endpoint list', text: 'The list below as JSON' },
] as const;

const keySection = `<section aria-labelledby="key-title">
<h2 id="key-title">Try a key</h2>
<form id="key-form" hidden>
<label for="key">Your key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" required>
<button>Check</button>
</form>
<p id="verdict" role="status">Send it in the <code>X-API-Key</code> header, or as <code>Authorization: Bearer</code>.</p>
</section>
`;

function createItem(document: OpenApiDocument, origin: string, endpoint: Endpoint): string {
  const { method, path, summary, description, requiresAuth } = endpoint;
  const operation = document.paths[path]?.[method] ?? {};
  const line = createCurlLine(document, origin, { method, path, operation });
  const name = `${method.toUpperCase()} ${path}`;
  const rest = description === summary ? '' : `\n<p>${createProse(description)}</p>`;
  return `<li>
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code>${requiresAuth ? ' <span class="keyed">needs a key</span>' : ''}</h3>
<p class="summary">${createProse(summary)}</p>${rest}
<div class="curl">
<pre><code data-origin="${escapeHtml(origin)}">${escapeHtml(line)}</code></pre>
<button type="button" class="copy" aria-label="Copy the command for ${escapeHtml(name)}" hidden>Copy</button>
</div>
</li>`;
}

/** Text of the contract is Markdown; of that only code is worth its rendering here. */
function createProse(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
