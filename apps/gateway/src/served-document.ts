import { type Endpoint, endpointsToOpenApiSteps, mergeDocumentsSteps, type Settings } from '@rostergate/endpoints';
import { document as builtIn } from '@rostergate/gateway-spec';
import { httpMethods, type OpenApiDocument, type PathItem } from '@rostergate/runtime/contract';
import { runSteps, type Steps } from '@rostergate/runtime/steps';
import { switches } from './switches.ts';

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

function operationsOff(settings: Readonly<Settings>): ReadonlySet<string> {
  return new Set(switches.flatMap(({ isOn, operations }) => (isOn(settings) ? [] : operations)));
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
