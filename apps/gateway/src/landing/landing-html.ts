import {
  createBuiltInBlock,
  createKeyTesterBlock,
  createLiveFiguresBlock,
  createOperationListBlock,
  createReadinessBlock,
  createShell,
  type Html,
  html,
  type ListedOperation,
  type OperationPage,
  type PageLink,
} from '@rostergate/pages';
import type { OpenApiDocument } from '@rostergate/server';

export interface LandingPage {
  readonly document: OpenApiDocument;
  /** The configured endpoints on this page. */
  readonly page: OperationPage;
  /** The number of endpoints that need a key. */
  readonly keyed: number;
  /** All tags of the endpoints. */
  readonly tags: readonly string[];
  readonly builtIn: readonly ListedOperation[];
  readonly links: readonly PageLink[];
  /** Requests per minute of an address and of a key owner; undefined without limits. */
  readonly limits: { readonly anonymous: number; readonly authenticated: number } | undefined;
  /** The assumed origin of the server; the page replaces it with the origin it was loaded from. */
  readonly origin: string;
}

/** Returns the landing page. Disabled parts are neither shown nor linked. */
export function createLandingHtml(landing: LandingPage): string {
  const { document, page, tags, builtIn, links, origin } = landing;
  const { title, version } = document.info;
  const serves = (path: string) => path in document.paths;
  const linked = (path: string) => links.some((link) => link.path === path);
  const rows = {
    document,
    origin,
    secretVariable: 'GATEWAY_KEY',
    reference: linked('docs') ? ('docs' as const) : linked('redoc') ? ('redoc' as const) : undefined,
  };
  const readsMetrics = document.paths['/metrics']?.get;
  return String(
    createShell({
      title,
      current: '',
      links,
      icon: 'assets/icon.svg',
      styles: ['assets/landing.css'],
      scripts: ['assets/landing.js'],
      skipTo: { id: 'endpoints', text: 'Skip to the endpoints' },
      body: html`<main id="main">
<div class="intro">
<div>
<h1>API overview</h1>
<p class="lead">${createLead(landing)}</p>
</div>
${serves('/health/ready') && createReadinessBlock()}</div>
${createLiveFiguresBlock({ isServed: readsMetrics !== undefined, needsKey: (readsMetrics?.security ?? []).length > 0 })}<div class="columns">
${serves('/auth/validate') && createKeyTesterBlock()}<div class="wide">
${createOperationListBlock({ ...rows, page, tags, emptyText: 'No endpoints are configured. Add one to endpoints.json.' })}${builtIn.length > 0 && createBuiltInBlock(builtIn, rows)}</div>
${createProgramLinks(serves)}</div>
</main>
<footer class="foot"><p>${title} <span class="version">${version}</span></p></footer>`,
    }),
  );
}

function createLead({ page: { total }, keyed, limits }: LandingPage): string {
  const endpoints = total === 1 ? 'One endpoint' : `${numberText(total)} endpoints`;
  const keys = keyed === 0 ? 'none needs a key' : keyed === 1 ? 'one needs a key' : `${numberText(keyed)} need a key`;
  const open = total === 1 && keyed === 1 ? 'it needs a key' : keys;
  const allowed =
    limits &&
    ` Limits: ${numberText(limits.anonymous)} requests a minute per address, ${numberText(limits.authenticated)} per key owner.`;
  return `${endpoints}${total === 0 ? '' : `; ${open}`}.${allowed ?? ''}`;
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}

/** Returns links to the machine-readable resources. */
function createProgramLinks(serves: (path: string) => boolean): Html | false {
  const served = programLinks.filter(({ path }) => serves(path));
  if (served.length === 0) return false;
  return html`<section class="card programs" aria-labelledby="programs-title">
<h2 id="programs-title">Machine-readable</h2>
<ul>
${served.map(({ path, text }) => html`<li><a href="${path.slice(1)}">${path}</a> <span>${text}</span></li>\n`)}</ul>
</section>
`;
}

const programLinks = [
  { path: '/openapi.json', text: 'OpenAPI contract' },
  { path: '/endpoints', text: 'endpoints as JSON' },
  { path: '/health/ready', text: 'readiness by dependency' },
  { path: '/metrics', text: 'Prometheus metrics' },
] as const;
