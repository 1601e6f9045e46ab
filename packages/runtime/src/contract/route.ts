import { runSteps, type Steps } from '../steps/index.ts';
import {
  type HttpMethod,
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type RequestBodyObject,
  resolveReference,
  type SecurityRequirement,
} from './openapi.ts';

/**
 * What a request of a route counts against: the quota of its client (an owner, or an address without a key); the
 * auxiliary quota of its address, which pages, their assets, metrics and preflights have to themselves; or nothing.
 */
export type Quota = 'client' | 'auxiliary' | 'none';

/** One operation as it is served: the contract's facts, resolved once for all requests. */
export interface Route {
  readonly operationId: string;
  readonly method: HttpMethod;
  /** Full path with the server's base, in the contract's `{param}` form; also the label in metrics and logs. */
  readonly path: string;
  readonly security: readonly SecurityRequirement[];
  readonly isPublic: boolean;
  /** All of them are needed. */
  readonly requiredScopes: readonly string[];
  readonly quota: Quota;
  /** A limit of this operation alone, beside that of the server. */
  readonly rateLimitPerMinute: number | undefined;
  /** The operation goes on as if nothing had been presented: it reports the verdict, or gives new credentials. */
  readonly toleratesWrongKey: boolean;
  readonly parameters: readonly ParameterObject[];
  readonly requestBody: RequestBodyObject | undefined;
  readonly operation: OperationObject;
}

/** A path the contract declares, with or without operations: what answers 405 and OPTIONS. */
export interface DeclaredPath {
  readonly path: string;
  readonly routes: readonly Route[];
  /** The value of `Allow`, alphabetical. */
  readonly allow: string;
}

/** Reads the paths of a document. Fails closed: an operation without a declared policy does not boot. */
export function createDeclaredPaths(document: OpenApiDocument): readonly DeclaredPath[] {
  return runSteps(createDeclaredPathsSteps(document));
}

/** The same, path by path. */
export function* createDeclaredPathsSteps(document: OpenApiDocument): Steps<readonly DeclaredPath[]> {
  const faults: string[] = [];
  const declared: DeclaredPath[] = [];
  const usualBase = basePathOf(document.servers);
  for (const template of Object.keys(document.paths)) {
    yield;
    const item = document.paths[template] as PathItem;
    const path = (item.servers === undefined ? usualBase : basePathOf(item.servers)) + template;
    const routes: Route[] = [];
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation !== undefined) routes.push(createRoute(document, item, method, path, operation, faults));
    }
    declared.push(Object.freeze({ path, routes, allow: allowOf(routes) }));
  }
  if (faults.length > 0) throw new Error(`The contract cannot be served:\n  ${faults.join('\n  ')}`);
  return declared;
}

function createRoute(
  document: OpenApiDocument,
  item: PathItem,
  method: HttpMethod,
  path: string,
  operation: OperationObject,
  faults: string[],
): Route {
  const security = operation.security ?? document.security;
  if (operation.operationId === undefined) faults.push(`${method.toUpperCase()} ${path} has no operationId.`);
  if (security === undefined)
    faults.push(`${method.toUpperCase()} ${path} declares no security; use [] for a public one.`);
  return Object.freeze({
    operationId: operation.operationId ?? '',
    method,
    path,
    security: security ?? [],
    isPublic: security !== undefined && (security.length === 0 || security.some((s) => Object.keys(s).length === 0)),
    requiredScopes: operation['x-required-scopes'] ?? [],
    quota: quotaOf(operation['x-rate-limit']),
    rateLimitPerMinute: operation['x-rate-limit-per-minute'],
    toleratesWrongKey: operation['x-wrong-key'] !== undefined,
    parameters: parametersOf(document, item, operation),
    requestBody: operation.requestBody && resolveReference<RequestBodyObject>(document, operation.requestBody),
    operation,
  });
}

function quotaOf(rateLimit: unknown): Quota {
  return rateLimit === 'exempt' ? 'none' : rateLimit === 'auxiliary' ? 'auxiliary' : 'client';
}

/** Those of the operation go before those that its path gives to all of its operations. */
function parametersOf(
  document: OpenApiDocument,
  item: PathItem,
  operation: OperationObject,
): readonly ParameterObject[] {
  if (operation.parameters === undefined && item.parameters === undefined) return noParameters;
  // Most operations of a large document come from a few descriptions, and share their lists.
  if (item.parameters === undefined && !operation.parameters?.some((p) => '$ref' in p)) {
    return operation.parameters as readonly ParameterObject[];
  }
  const own = (operation.parameters ?? []).map((p) => resolveReference<ParameterObject>(document, p));
  const shared = (item.parameters ?? [])
    .map((p) => resolveReference<ParameterObject>(document, p))
    .filter((p) => !own.some((o) => o.name === p.name && o.in === p.in));
  return [...shared, ...own];
}

const noParameters: readonly ParameterObject[] = Object.freeze([]);

function allowOf(routes: readonly Route[]): string {
  const methods = new Set(['OPTIONS', ...routes.map((r) => r.method.toUpperCase())]);
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort().join(', ');
}

function basePathOf(servers: OpenApiDocument['servers']): string {
  return new URL(servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}
