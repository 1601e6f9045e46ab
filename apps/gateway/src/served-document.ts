import { describePlan, type Plan } from '@rostergate/access/limits';
import { securitySchemeOf } from '@rostergate/access/tokens';
import {
  type Endpoint,
  endpointsToOpenApiSteps,
  issuerSchemeOf,
  type Settings,
  securityOf,
} from '@rostergate/endpoints';
import type { operations } from '@rostergate/gateway-server';
import { document as builtIn } from '@rostergate/gateway-spec';
import { mcpAuthOf, metadataUrlOf, withMcpSecurity, withToolNames } from '@rostergate/mcp';
import type { PageLink } from '@rostergate/pages';
import { mergeDocumentsSteps, type OpenApiDocument, withoutOperations, withSecurity } from '@rostergate/server';
import { runSteps, type Steps } from '@rostergate/server/steps';
import { portalOperations } from './portal/portal-operations.ts';

/** Returns the contract of a configuration: exactly what is served, with its endpoints and without disabled parts. */
export function createServedDocument(settings: Readonly<Settings>, endpoints: readonly Endpoint[]): OpenApiDocument {
  return runSteps(createServedDocumentSteps(settings, endpoints));
}

/** Does the same in steps, one endpoint each. */
export function* createServedDocumentSteps(
  settings: Readonly<Settings>,
  endpoints: readonly Endpoint[],
): Steps<OpenApiDocument> {
  const off = new Set<string>(switches.flatMap(({ isOn, operations }) => (isOn(settings) ? [] : operations)));
  const served = withoutOperations(builtIn, off);
  const secured = settings.metrics_requires_auth ? withSecurity(served, new Set(['getMetrics']), keySecurity) : served;
  const fragment = yield* endpointsToOpenApiSteps(endpoints);
  const { mcp, jwt_issuers: issuers } = settings;
  const callable = mcp === undefined ? secured : withMcpSecurity(secured, mcp, securityOf(mcpAuthOf(mcp)));
  const planned = withPlans(callable, settings);
  const withTools = (whole: OpenApiDocument) => (mcp === undefined ? whole : withToolNames(whole, mcp.tools));
  if (issuers.length === 0) return withTools(yield* mergeDocumentsSteps<OpenApiDocument>(planned, fragment));
  const everyWay = securityOf({ ...keysOnly, issuers: issuers.map(({ name }) => name) });
  const securitySchemes = Object.fromEntries(issuers.map((one) => [issuerSchemeOf(one.name), securitySchemeOf(one)]));
  const merged = yield* mergeDocumentsSteps<OpenApiDocument>(
    withSecurity(planned, new Set(['getAuthStatus', 'getUsage']), everyWay),
    { ...fragment, components: { ...fragment.components, securitySchemes } },
  );
  return withTools(merged);
}

/** Returns the document with the plans, for programs as `x-plans` and for people in the description. */
function withPlans(document: OpenApiDocument, settings: Readonly<Settings>): OpenApiDocument {
  const { plans, default_plan, anonymous_plan, rate_limit_enabled } = settings;
  const names = Object.keys(plans);
  if (names.length === 0 || !rate_limit_enabled) return document;
  const clientsOf = (name: string) =>
    [name === default_plan ? 'keys without a plan' : '', name === anonymous_plan ? 'addresses without a key' : '']
      .filter((text) => text !== '')
      .join(', ');
  const rows = names.map((name) => {
    const clients = clientsOf(name);
    return `- \`${name}\`: ${describePlan(plans[name] as Plan)}${clients === '' ? '' : `; for ${clients}`}`;
  });
  const text = `**Plans** set the limits of an owner of keys.\n\n${rows.join('\n')}`;
  const info = { ...document.info, description: `${document.info.description ?? ''}\n\n${text}`.trim() };
  return { ...document, info, 'x-plans': plans } as OpenApiDocument;
}

const keysOnly = { requiresAuth: true, acceptsKeys: true, issuers: [] } as const;
const keySecurity = securityOf(keysOnly);

type OperationId = keyof typeof operations;
type Router = Settings['enabled_routers'][number];

/** A part of the gateway that a setting enables, and its built-in operations. */
export interface Switch {
  readonly what: 'router' | 'page';
  readonly name: string;
  readonly isOn: (settings: Readonly<Settings>) => boolean;
  readonly operations: readonly OperationId[];
}

/** Returns which pages a configuration serves. Docs and ReDoc require the document. */
export function servedPages(settings: Readonly<Settings>): {
  readonly landing: boolean;
  readonly openapi: boolean;
  readonly docs: boolean;
  readonly redoc: boolean;
} {
  const openapi = settings.enable_openapi;
  return {
    landing: settings.enable_landing_page,
    openapi,
    docs: openapi && settings.enable_docs,
    redoc: openapi && settings.enable_redoc,
  };
}

/** Returns the links to pages that only this server has. */
export function ownPageLinks({ portal }: Readonly<Settings>): readonly PageLink[] {
  return portal === undefined ? [] : [{ path: 'portal', text: 'Developer portal' }];
}

const router = (name: Router, ...ids: OperationId[]): Switch => ({
  what: 'router',
  name,
  isOn: (settings) => settings.enabled_routers.includes(name),
  operations: ids,
});

const page = (name: string, key: keyof ReturnType<typeof servedPages>, ...ids: OperationId[]): Switch => ({
  what: 'page',
  name,
  isOn: (settings) => servedPages(settings)[key],
  operations: ids,
});

export const switches: readonly Switch[] = [
  { what: 'router', name: 'mcp', isOn: ({ mcp }) => mcp !== undefined, operations: ['callMcp'] },
  {
    what: 'router',
    name: 'mcp metadata',
    isOn: ({ mcp }) => metadataUrlOf(mcp) !== undefined,
    operations: ['getMcpMetadata'],
  },
  { what: 'router', name: 'usage', isOn: ({ usage }) => usage !== undefined, operations: ['getUsage'] },
  {
    what: 'page',
    name: '/portal',
    isOn: ({ portal }) => portal !== undefined,
    operations: portalOperations,
  },
  router('health', 'getHealth', 'getLiveness', 'getReadiness'),
  router('metrics', 'getMetrics'),
  router('auth', 'getAuthStatus', 'validateKey'),
  router('endpoints', 'listEndpoints'),
  page('/', 'landing', 'getLandingPage', 'getLandingAsset'),
  page('/openapi.json', 'openapi', 'getOpenapiDocument'),
  page('/docs', 'docs', 'getDocs', 'getDocsAsset'),
  page('/redoc', 'redoc', 'getRedoc', 'getRedocAsset'),
];
