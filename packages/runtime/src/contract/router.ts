import type { Request, Response } from 'express';
import { Problem } from '../problem/index.ts';
import type { Principal } from './context.ts';
import type { Handlers, Reply } from './handler.ts';
import type { OpenApiDocument } from './openapi.ts';
import { createPipeline, type Policies, pathOf, type Served } from './pipeline.ts';
import { createBodyReader } from './request-body.ts';
import { createRequestChecks } from './request-validator.ts';
import { createDeclaredPaths, type Route } from './route.ts';
import { createRouteTable } from './route-table.ts';

export interface RouterOptions<P extends Principal = Principal> {
  /** Needed when the contract secures any operation. */
  readonly authenticate?: Policies<P>['authenticate'] | undefined;
  readonly limit?: Policies<P>['limit'];
  readonly observe?: Policies<P>['observe'];
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  readonly bodyBytesMax?: number | undefined;
  readonly uriBytesMax?: number | undefined;
}

/** An Express middleware that serves a contract; paths it does not know go to `next`. */
export interface ContractRouter {
  (req: Request, res: Response, next: (error?: unknown) => void): void;
  readonly document: OpenApiDocument;
  readonly routes: readonly Route[];
  /** Answers what nobody knows: 404, after key and limit like any other request. */
  notFound(req: Request, res: Response): void;
  /** Answers an error that happened outside the contract's routes. */
  fail(error: unknown, req: Request, res: Response): void;
}

/** Builds the router of a contract; throws, naming every fault, when a part of it cannot be served as declared. */
export function createRouter<P extends Principal = Principal>(
  contract: { readonly document: OpenApiDocument; readonly handlers: Handlers },
  options: RouterOptions<P> = {},
): ContractRouter {
  const { document, handlers } = contract;
  const { bodyBytesMax = 10 * 1024 * 1024, uriBytesMax = 16 * 1024 } = options;
  const paths = createDeclaredPaths(document);
  const routes = Object.freeze(paths.flatMap((p) => p.routes));
  requireWhole(routes, handlers, options.authenticate !== undefined);
  const checkOf = createRequestChecks(document);
  const pipeline = createPipeline<P>(document, {
    authenticate: options.authenticate ?? (() => null),
    limit: options.limit,
    observe: options.observe,
    clock: options.clock ?? Date.now,
  });
  const table = createRouteTable<Served>(paths, (route) => ({
    route,
    readBody: route.requestBody && createBodyReader(route.requestBody, bodyBytesMax),
    check: checkOf(route),
    handle: handlers[route.operationId] as Served['handle'],
  }));

  /** What no operation takes goes through key and limit all the same. */
  function turnAway(route: Route, req: Request, res: Response, handle: () => Reply): void {
    pipeline.serve({ route, readBody: undefined, check: (_, parts) => parts, handle }, {}, req, res);
  }

  const router = (req: Request, res: Response, next: (error?: unknown) => void): void => {
    if (req.url.length > uriBytesMax) {
      turnAway(unmatchedRoute, req, res, () => {
        throw new Problem('uri_too_long', `Keep the address within ${uriBytesMax} bytes.`);
      });
      return;
    }
    const path = pathOf(req.url);
    const match = table.find(req.method, path);
    if (match !== null) {
      pipeline.serve(match.target, match.params, req, res);
      return;
    }
    const declared = table.findPath(path);
    if (declared === null) {
      next();
      return;
    }
    const headers = { Allow: declared.allow };
    turnAway({ ...unmatchedRoute, path: declared.path }, req, res, () => {
      if (req.method === 'OPTIONS') return { status: 204, headers };
      const remedy =
        declared.routes.length === 0 ? 'Nothing can be done to this path as such' : `Use ${declared.allow}`;
      throw new Problem('method_not_allowed', `${remedy}; see /openapi.json.`, { headers });
    });
  };
  router.document = document;
  router.routes = routes;
  router.notFound = (req: Request, res: Response): void => {
    turnAway(unmatchedRoute, req, res, () => {
      if (!isDecodable(req.url)) throw new Problem('malformed_request', 'Percent-encode the path as UTF-8 (RFC 3986).');
      throw new Problem('route_not_found', 'See /openapi.json for the routes that exist.');
    });
  };
  router.fail = (error: unknown, req: Request, res: Response): void => {
    pipeline.fail(error, unmatchedRoute, req, res);
  };
  return router;
}

/** What a request is counted under when no operation takes it: one label, whatever the caller's path. */
export const unmatchedRoute: Route = Object.freeze({
  operationId: 'unmatched',
  method: 'get',
  path: 'unmatched',
  security: [],
  isPublic: true,
  requiredScopes: [],
  isRateLimitExempt: false,
  rateLimitPerMinute: undefined,
  toleratesWrongKey: false,
  parameters: [],
  requestBody: undefined,
  operation: {},
});

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(pathOf(url));
    return true;
  } catch {
    return false;
  }
}

function requireWhole(routes: readonly Route[], handlers: Handlers, canAuthenticate: boolean): void {
  const ids = new Set(routes.map((route) => route.operationId));
  const faults = [
    ...[...ids].filter((id) => handlers[id] === undefined).map((id) => `${id} has no handler.`),
    ...Object.keys(handlers)
      .filter((id) => !ids.has(id))
      .map((id) => `${id} is handled but not in the contract.`),
    ...routes
      .filter((route) => !route.isPublic && !canAuthenticate)
      .map((route) => `${route.operationId} is secured: give authenticate.`),
  ];
  if (ids.size < routes.length) faults.push('Two operations share an operationId.');
  if (faults.length > 0) throw new Error(`The contract cannot be served:\n  ${faults.join('\n  ')}`);
}
