import { runSteps, type Steps } from '../steps.ts';
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
 * The quota that a request counts against: its client's (an owner, or an address without a key); its address's auxiliary
 * quota, for pages, their assets, metrics and preflights; or none.
 */
export type Quota = 'client' | 'auxiliary' | 'none';

/** One operation of the contract, with references and defaults resolved. */
export interface Route {
  readonly operationId: string;
  readonly method: HttpMethod;
  /**
   * The full path with the server's base, as a `{param}` template; also the label in metrics and logs. A last parameter
   * with `x-multi-segment` is written `{param*}`: it is the rest of the path.
   */
  readonly path: string;
  readonly security: readonly SecurityRequirement[];
  readonly isPublic: boolean;
  /** The caller needs all of them. */
  readonly requiredScopes: readonly string[];
  readonly quota: Quota;
  /** A limit for this operation only, in addition to the server's. */
  readonly rateLimitPerMinute: number | undefined;
  /** A wrong credential is ignored: the operation checks credentials, or issues new ones. */
  readonly toleratesWrongKey: boolean;
  readonly parameters: readonly ParameterObject[];
  readonly requestBody: RequestBodyObject | undefined;
  readonly operation: OperationObject;
}

/** The route of requests without an operation: one label in metrics for all of their paths. */
export const unmatchedRoute: Route = Object.freeze({
  operationId: 'unmatched',
  method: 'get',
  path: 'unmatched',
  security: [],
  isPublic: true,
  requiredScopes: [],
  quota: 'client',
  rateLimitPerMinute: undefined,
  toleratesWrongKey: false,
  parameters: [],
  requestBody: undefined,
  operation: {},
});

/** The route of requests that browsers send by themselves: they do not use the client's quota. */
export const auxiliaryRoute: Route = Object.freeze({ ...unmatchedRoute, quota: 'auxiliary' });

/** A path of the contract, with or without operations: used for 405 and OPTIONS. */
export interface DeclaredPath {
  readonly path: string;
  /** No path with parameters matches it, for any method. */
  readonly isExclusive?: boolean;
  readonly routes: readonly Route[];
}

/** Returns the paths of a document. Throws when an operation declares no security. */
export function createDeclaredPaths(document: OpenApiDocument): readonly DeclaredPath[] {
  return runSteps(createDeclaredPathsSteps(document));
}

/** The same as pausable steps, one per path. */
export function* createDeclaredPathsSteps(document: OpenApiDocument): Steps<readonly DeclaredPath[]> {
  const faults: string[] = [];
  const declared: DeclaredPath[] = [];
  const defaultBase = basePathOf(document.servers);
  for (const template of Object.keys(document.paths)) {
    yield;
    const item = document.paths[template] as PathItem;
    const base = (item.servers === undefined ? defaultBase : basePathOf(item.servers)) + template;
    const routes: Route[] = [];
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation !== undefined) routes.push(createRoute(document, item, method, base, operation, faults));
    }
    const path = routes[0]?.path ?? base;
    if (routes.some((route) => route.path !== path))
      faults.push(`${base} has a parameter with x-multi-segment in some operations only.`);
    declared.push(Object.freeze({ path, routes, ...(item['x-exclusive'] === true && { isExclusive: true }) }));
  }
  if (faults.length > 0) throw new Error(`The contract cannot be served:\n  ${faults.join('\n  ')}`);
  return declared;
}

function createRoute(
  document: OpenApiDocument,
  item: PathItem,
  method: HttpMethod,
  template: string,
  operation: OperationObject,
  faults: string[],
): Route {
  const security = operation.security ?? document.security;
  const parameters = parametersOf(document, item, operation);
  const path = pathOf(template, parameters, faults);
  if (operation.operationId === undefined) faults.push(`${method.toUpperCase()} ${path} has no operationId.`);
  if (security === undefined)
    faults.push(`${method.toUpperCase()} ${path} declares no security; use [] for a public operation.`);
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
    parameters,
    requestBody: operation.requestBody && resolveReference<RequestBodyObject>(document, operation.requestBody),
    operation,
  });
}

function quotaOf(rateLimit: unknown): Quota {
  return rateLimit === 'exempt' ? 'none' : rateLimit === 'auxiliary' ? 'auxiliary' : 'client';
}

/** Returns the parameters of an operation, which override those of its path. */
function parametersOf(
  document: OpenApiDocument,
  item: PathItem,
  operation: OperationObject,
): readonly ParameterObject[] {
  if (operation.parameters === undefined && item.parameters === undefined) return noParameters;
  // The operations of a large document often share parameter lists.
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

/** Returns the template with its parameter of several segments written as `{name*}`. */
function pathOf(template: string, parameters: readonly ParameterObject[], faults: string[]): string {
  let path = template;
  for (const parameter of parameters) {
    if (parameter.in !== 'path' || parameter['x-multi-segment'] !== true) continue;
    const end = `/{${parameter.name}}`;
    if (template.endsWith(end)) path = `${template.slice(0, -1)}*}`;
    else faults.push(`${template} has x-multi-segment in ${parameter.name}, which is not its last segment.`);
  }
  return path;
}

/** Returns the path of the first server without a slash at its end. */
export function basePathOf(servers: OpenApiDocument['servers']): string {
  return new URL(servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}
