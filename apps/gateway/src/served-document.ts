import { type Endpoint, endpointsToOpenApiSteps, mergeDocumentsSteps, type Settings } from '@rostergate/endpoints';
import type { operations } from '@rostergate/gateway-server';
import { document as builtIn } from '@rostergate/gateway-spec';
import { httpMethods, type OpenApiDocument, type PathItem } from '@rostergate/runtime/contract';
import { runSteps, type Steps } from '@rostergate/runtime/steps';

type OperationId = keyof typeof operations;

/** The built-in operations that each group of settings switches. */
const routers: Readonly<Record<Settings['enabled_routers'][number], readonly OperationId[]>> = {
  health: ['getHealth', 'getLiveness', 'getReadiness'],
  metrics: ['getMetrics'],
  auth: ['getAuthStatus', 'validateKey'],
  endpoints: ['listEndpoints'],
};

/** The contract of a configuration: exactly what is served, the endpoints in it and what is switched off not. */
export function createServedDocument(settings: Readonly<Settings>, endpoints: readonly Endpoint[]): OpenApiDocument {
  return runSteps(createServedDocumentSteps(settings, endpoints));
}

/** The same, endpoint by endpoint. */
export function* createServedDocumentSteps(
  settings: Readonly<Settings>,
  endpoints: readonly Endpoint[],
): Steps<OpenApiDocument> {
  const served = createBuiltInDocument(settings);
  const fragment = yield* endpointsToOpenApiSteps(endpoints);
  return yield* mergeDocumentsSteps<OpenApiDocument>(served, fragment);
}

/** The built-in document without what is switched off. */
function createBuiltInDocument(settings: Readonly<Settings>): OpenApiDocument {
  const off = operationsOff(settings);
  const paths = Object.fromEntries(
    Object.entries(builtIn.paths).flatMap(([path, item]) => {
      const left = without(item, off);
      if (left === undefined) return [];
      return [[path, path === '/metrics' && settings.metrics_requires_auth ? secured(left) : left]];
    }),
  );
  const used = new Set(
    Object.values(paths).flatMap((item) => httpMethods.flatMap((method) => item[method]?.tags ?? [])),
  );
  return { ...builtIn, paths, tags: (builtIn.tags ?? []).filter((tag) => used.has(tag.name)) };
}

/** The item with every operation behind a key, and the 401 that follows from it. */
function secured(item: PathItem): PathItem {
  const present = httpMethods.filter((method) => item[method] !== undefined);
  const responses = { 401: { $ref: '#/components/responses/Unauthorized' } };
  return {
    ...item,
    ...Object.fromEntries(
      present.map((method) => {
        const operation = item[method];
        return [method, { ...operation, security: keySecurity, responses: { ...operation?.responses, ...responses } }];
      }),
    ),
  };
}

/** Either way of sending the one key. */
const keySecurity = [{ apiKeyHeader: [] }, { apiKeyBearer: [] }];

/** Which pages a configuration serves. Docs and ReDoc show the document, so they go with it. */
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

function operationsOff(settings: Readonly<Settings>): ReadonlySet<string> {
  const pages = servedPages(settings);
  const off: OperationId[] = Object.entries(routers).flatMap(([name, ids]) =>
    settings.enabled_routers.includes(name as keyof typeof routers) ? [] : ids,
  );
  if (!pages.landing) off.push('getLandingPage', 'getLandingAsset');
  if (!pages.openapi) off.push('getOpenapiDocument');
  if (!pages.docs) off.push('getDocs', 'getDocsAsset');
  if (!pages.redoc) off.push('getRedoc', 'getRedocAsset');
  return new Set(off);
}

/** The item as it is when nothing of it is off: most are. */
function without(item: PathItem, off: ReadonlySet<string>): PathItem | undefined {
  const present = httpMethods.filter((method) => item[method] !== undefined);
  const left = present.filter((method) => !off.has(item[method]?.operationId ?? ''));
  if (left.length === present.length) return item;
  if (left.length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(item).filter(
      ([key]) => !(httpMethods as readonly string[]).includes(key) || left.includes(key as never),
    ),
  );
}
