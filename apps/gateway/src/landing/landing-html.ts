import type { OpenApiDocument } from '@rostergate/runtime/contract';
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
} from '@rostergate/runtime/pages';

export interface LandingPage {
  readonly document: OpenApiDocument;
  /** The endpoints of the configuration, as far as this page shows them. */
  readonly page: OperationPage;
  /** How many of all endpoints need a key. */
  readonly keyed: number;
  /** All tags of the endpoints. */
  readonly tags: readonly string[];
  readonly builtIn: readonly ListedOperation[];
  readonly links: readonly PageLink[];
  /** Requests a minute of an address and of an owner of keys; undefined without limits. */
  readonly limits: { readonly anonymous: number; readonly authenticated: number } | undefined;
  /** Where the server is thought to be; the page corrects it to where it was loaded from. */
  readonly origin: string;
}

/** What stands here depends on what is served: nothing that is switched off is shown or linked. */
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
<h1>What is served here</h1>
<p class="lead">${createLead(landing)}</p>
</div>
${serves('/health/ready') && createReadinessBlock()}</div>
${createLiveFiguresBlock({ isServed: readsMetrics !== undefined, needsKey: (readsMetrics?.security ?? []).length > 0 })}<div class="columns">
${serves('/auth/validate') && createKeyTesterBlock()}<div class="wide">
${createOperationListBlock({ ...rows, page, tags, emptyText: 'None is configured. Add one to endpoints.json.' })}${builtIn.length > 0 && createBuiltInBlock(builtIn, rows)}</div>
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
    ` Limits: ${numberText(limits.anonymous)} requests a minute for an address, ${numberText(limits.authenticated)} for the owner of a key.`;
  return `${endpoints}${total === 0 ? '' : `; ${open}`}.${allowed ?? ''}`;
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}

/** What programs read, for people who look after them. */
function createProgramLinks(serves: (path: string) => boolean): Html | false {
  const served = programLinks.filter(({ path }) => serves(path));
  if (served.length === 0) return false;
  return html`<section class="card programs" aria-labelledby="programs-title">
<h2 id="programs-title">For programs</h2>
<ul>
${served.map(({ path, text }) => html`<li><a href="${path.slice(1)}">${path}</a> <span>${text}</span></li>\n`)}</ul>
</section>
`;
}

const programLinks = [
  { path: '/openapi.json', text: 'the contract' },
  { path: '/endpoints', text: 'the endpoints as JSON' },
  { path: '/health/ready', text: 'readiness, part by part' },
  { path: '/metrics', text: 'figures for Prometheus' },
] as const;
