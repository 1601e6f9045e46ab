import type { IncomingMessage } from 'node:http';
import { describePlan } from '@rostergate/access/limits';
import type { Endpoint, Settings } from '@rostergate/endpoints';
import {
  type AssetSource,
  blockAssets,
  createAssetReader,
  createBuiltInBlock,
  createFirstRequestBlock,
  createKeyTesterBlock,
  createLiveFiguresBlock,
  createOperationListBlock,
  createPageLinks,
  createPagePolicy,
  createReadinessBlock,
  createShell,
  type Html,
  html,
  type ListedOperation,
  listOperationsSteps,
  type OperationPage,
  type OperationQuery,
  type PageLink,
  replyTagged,
  searchOperations,
  tagText,
} from '@rostergate/pages';
import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { runInSlices, type Steps } from '@rostergate/server/steps';
import { ownPageLinks, servedPages } from '../served-document.ts';

export interface LandingOptions {
  readonly settings: Readonly<Settings>;
  readonly document: OpenApiDocument;
  readonly endpoints: readonly Endpoint[];
}

interface RequestContext {
  readonly req: Pick<IncomingMessage, 'headers'>;
}

/** The handlers of the landing page and its assets. */
export interface LandingHandlers {
  getLandingPage(request: { readonly query?: OperationQuery }, context: RequestContext): Promise<RawReply>;
  getLandingAsset(request: { readonly path: { readonly asset: string } }, context: RequestContext): Promise<RawReply>;
}

/** Longer lists are divided into pages. */
export const endpointsPerPage = 50;

/** Limits the length of the tag filter. */
const tagsMax = 200;

export function createLandingHandlers(options: LandingOptions): LandingHandlers {
  // Created with the first request, so that a reload does not wait for it.
  let catalogue: Promise<Catalogue> | undefined;
  return {
    async getLandingPage({ query = {} }, { req }) {
      catalogue ??= runInSlices(createCatalogueSteps(options));
      const listed = await catalogue;
      const page = searchOperations(listed.configured, query, endpointsPerPage);
      return replyTagged(tagText(createLandingHtml({ ...listed, page }), 'text/html; charset=utf-8'), req, policy);
    },
    async getLandingAsset({ path }, { req }) {
      const asset = readAsset(path.asset);
      if (asset === undefined) throw new Problem('not_found', 'The landing page has no asset with this name.');
      return replyTagged(await asset, req);
    },
  };
}

type Catalogue = Omit<LandingPage, 'page'>;

function* createCatalogueSteps({ settings, document, endpoints }: LandingOptions): Steps<Catalogue> {
  const ids = new Set(endpoints.map((endpoint) => endpoint.operationId));
  const isConfigured = ({ operationId = '' }) => ids.has(operationId);
  const configured = yield* listOperationsSteps(document, isConfigured);
  const pages = servedPages(settings);
  return {
    document,
    configured,
    builtIn: yield* listOperationsSteps(document, (operation) => !isConfigured(operation)),
    keyed: configured.filter((operation) => operation.needsCredential).length,
    tags: [...new Set(configured.flatMap((operation) => operation.tags))].slice(0, tagsMax),
    origin: originOf(settings),
    links: createPageLinks({
      pages: (['docs', 'redoc'] as const).filter((page) => pages[page]),
      home: 'Overview',
      hasDocument: pages.openapi,
      more: ownPageLinks(settings),
    }),
    limits: settings.rate_limit_enabled
      ? {
          anonymous: limitText(settings, settings.anonymous_plan, settings.rate_limit_per_minute),
          authenticated: limitText(settings, settings.default_plan, settings.rate_limit_per_minute_authenticated),
          plans: Object.entries(settings.plans).map(([name, plan]) => `${name} (${describePlan(plan)})`),
        }
      : undefined,
  };
}

const own = (name: string) => new URL(`./assets/${name}`, import.meta.url);

/** One file each for styles, scripts and the icon, so that the page needs few requests. */
export const landingAssets = {
  'landing.css': { parts: [...blockAssets.styles, own('landing.css')] },
  'landing.js': { parts: blockAssets.scripts },
  'icon.svg': { parts: [blockAssets.icon] },
} as const satisfies Record<string, AssetSource>;

const readAsset = createAssetReader(landingAssets);

/** The filter is a form that, without JavaScript, reloads this page. */
const policy = createPagePolicy({ 'form-action': "'self'" });

function originOf({ host, port, tls_certificate_file: certificate }: Readonly<Settings>): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${certificate === '' ? 'http' : 'https'}://${name}:${port}`;
}

interface LandingPage {
  readonly document: OpenApiDocument;
  /** All configured endpoints. */
  readonly configured: readonly ListedOperation[];
  /** Those on this page. */
  readonly page: OperationPage;
  /** The number of endpoints that need a key. */
  readonly keyed: number;
  /** All tags of the endpoints. */
  readonly tags: readonly string[];
  readonly builtIn: readonly ListedOperation[];
  readonly links: readonly PageLink[];
  /** The limits of an address and of a key owner, and the plans, in words; undefined without limits. */
  readonly limits:
    | { readonly anonymous: string; readonly authenticated: string; readonly plans: readonly string[] }
    | undefined;
  /** The assumed origin of the server; the page replaces it with the origin it was loaded from. */
  readonly origin: string;
}

/** Returns the landing page. Disabled parts are neither shown nor linked. */
function createLandingHtml(landing: LandingPage): string {
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
${createFirstRequestBlock(landing.configured, rows)}<div class="columns">
<div class="wide">
${createOperationListBlock({ ...rows, page, tags, emptyText: 'No endpoints are configured. Add one to endpoints.json.' })}${builtIn.length > 0 && createBuiltInBlock(builtIn, rows)}</div>
${serves('/auth/validate') && createKeyTesterBlock()}${createProgramLinks(serves)}</div>
${createLiveFiguresBlock({ isServed: readsMetrics !== undefined, needsKey: (readsMetrics?.security ?? []).length > 0 })}</main>
<footer class="foot"><p>${title} <span class="version">${version}</span></p></footer>`,
    }),
  );
}

function createLead({ page: { total }, keyed, limits }: LandingPage): string {
  const endpoints = total === 1 ? 'One endpoint' : `${numberText(total)} endpoints`;
  const keys = keyed === 0 ? 'none needs a key' : keyed === 1 ? 'one needs a key' : `${numberText(keyed)} need a key`;
  const open = total === 1 && keyed === 1 ? 'it needs a key' : keys;
  const plans = limits === undefined || limits.plans.length === 0 ? '' : ` Plans: ${limits.plans.join('; ')}.`;
  const allowed = limits && ` Limits: ${limits.anonymous} per address, ${limits.authenticated} per key owner.${plans}`;
  return `${endpoints}${total === 0 ? '' : `; ${open}`}.${allowed ?? ''}`;
}

function limitText({ plans }: Readonly<Settings>, plan: string, perMinute: number): string {
  return plans[plan] === undefined ? `${numberText(perMinute)} requests a minute` : describePlan(plans[plan]);
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
