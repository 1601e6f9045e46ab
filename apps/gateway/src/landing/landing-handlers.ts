import type { IncomingMessage } from 'node:http';
import type { Endpoint, Settings } from '@rostergate/endpoints';
import {
  type AssetSource,
  blockAssets,
  createAssetReader,
  createPageLinks,
  createPagePolicy,
  type ListedOperation,
  listOperationsSteps,
  type OperationQuery,
  replyTagged,
  searchOperations,
  tagText,
} from '@rostergate/pages';
import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { runInSlices, type Steps } from '@rostergate/server/steps';
import { servedPages } from '../served-document.ts';
import { createLandingHtml } from './landing-html.ts';

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

export function createLandingHandlers({ settings, document, endpoints }: LandingOptions): LandingHandlers {
  // Created with the first request, so that a reload does not wait for it.
  let catalogue: Promise<Catalogue> | undefined;
  const pages = servedPages(settings);
  const common = {
    document,
    origin: originOf(settings),
    links: createPageLinks({
      pages: (['docs', 'redoc'] as const).filter((page) => pages[page]),
      home: 'Overview',
      hasDocument: pages.openapi,
    }),
    limits: settings.rate_limit_enabled
      ? { anonymous: settings.rate_limit_per_minute, authenticated: settings.rate_limit_per_minute_authenticated }
      : undefined,
  };
  return {
    async getLandingPage({ query = {} }, { req }) {
      catalogue ??= runInSlices(createCatalogueSteps(document, endpoints));
      const listed = await catalogue;
      const page = searchOperations(listed.configured, query, endpointsPerPage);
      const text = createLandingHtml({ ...common, ...listed, page });
      return replyTagged(tagText(text, 'text/html; charset=utf-8'), req, policy);
    },
    async getLandingAsset({ path }, { req }) {
      const asset = readAsset(path.asset);
      if (asset === undefined) throw new Problem('not_found', 'The landing page has no asset with this name.');
      return replyTagged(await asset, req);
    },
  };
}

interface Catalogue {
  readonly configured: readonly ListedOperation[];
  readonly builtIn: readonly ListedOperation[];
  readonly keyed: number;
  readonly tags: readonly string[];
}

function* createCatalogueSteps(document: OpenApiDocument, endpoints: readonly Endpoint[]): Steps<Catalogue> {
  const ids = new Set(endpoints.map((endpoint) => endpoint.operationId));
  const isConfigured = ({ operationId = '' }) => ids.has(operationId);
  const configured = yield* listOperationsSteps(document, isConfigured);
  return {
    configured,
    builtIn: yield* listOperationsSteps(document, (operation) => !isConfigured(operation)),
    keyed: configured.filter((operation) => operation.needsCredential).length,
    tags: [...new Set(configured.flatMap((operation) => operation.tags))].slice(0, tagsMax),
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
