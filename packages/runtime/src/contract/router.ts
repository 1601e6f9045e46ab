import type { Request, Response } from 'express';
import { isPreflight } from '../edge/cors.ts';
import { Problem } from '../problem/index.ts';
import { runSteps, type Steps } from '../steps/index.ts';
import type { Principal } from './context.ts';
import type { AnyHandler, Handlers, Reply } from './handler.ts';
import type { OpenApiDocument, RequestBodyObject } from './openapi.ts';
import { createPipeline, type IdleOptions, type Policies, pathOf, type Served } from './pipeline.ts';
import { type BodyReader, createBodyReader, readNoBody } from './request-body.ts';
import { createRequestChecks } from './request-validator.ts';
import { createDeclaredPathsSteps, type DeclaredPath, type Route } from './route.ts';
import { createRouteTable } from './route-table.ts';

export interface RouterOptions<P extends Principal = Principal> {
  /** Needed when the contract secures any operation. */
  readonly authenticate?: Policies<P>['authenticate'] | undefined;
  readonly limit?: Policies<P>['limit'];
  readonly observe?: Policies<P>['observe'];
  /** Which pages of other origins may call; none by default. */
  readonly cors?: Policies<P>['cors'];
  /** Answers above 1 KiB with br or gzip for whoever accepts it; true by default. */
  readonly isCompressing?: boolean | undefined;
  /** Begins the trace of each request; by default traces only pass through. */
  readonly startTrace?: Policies<P>['startTrace'];
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
  /** Answers a request that is not served for a reason of its head, after key and limit like any other request. */
  refuse(problem: Problem, req: Request, res: Response): void;
  /** Answers an error that happened outside the contract's routes. */
  fail(error: unknown, req: Request, res: Response): void;
  /** Calls back once, when no request is in flight or held: for a router that gets no new ones. */
  whenIdle(callback: () => void, options?: IdleOptions): void;
}

/** What a router is built of: a document, and by operationId what answers each of its operations. */
export interface Contract {
  readonly document: OpenApiDocument;
  readonly handlers: Handlers;
  /** More of them, such as those of configured operations; they need not be copied into one object. */
  readonly extraHandlers?: Handlers | undefined;
}

/** The building of a router, to be run in one go or in slices. */
export type RouterSteps = Steps<ContractRouter>;

/** Builds the router of a contract; throws, naming every fault, when a part of it cannot be served as declared. */
export function createRouter<P extends Principal = Principal>(
  contract: Contract,
  options: RouterOptions<P> = {},
): ContractRouter {
  return runSteps(createRouterSteps(contract, options));
}

/** The same, operation by operation: for a server that builds its next router while this one serves. */
export function* createRouterSteps<P extends Principal = Principal>(
  contract: Contract,
  options: RouterOptions<P> = {},
): RouterSteps {
  const { document } = contract;
  const { bodyBytesMax = 10 * 1024 * 1024, uriBytesMax = 16 * 1024, cors } = options;
  const paths = yield* createDeclaredPathsSteps(document);
  const routes = yield* requireWhole(paths, contract, options.authenticate !== undefined);
  const checkOf = createRequestChecks(document);
  const pipeline = createPipeline<P>(document, {
    authenticate: options.authenticate ?? (() => null),
    limit: options.limit,
    observe: options.observe,
    cors,
    isCompressing: options.isCompressing ?? true,
    startTrace: options.startTrace,
    clock: options.clock ?? Date.now,
  });
  const bodyReaderOf = createBodyReaders(bodyBytesMax);
  const table = createRouteTable<Served>();
  for (const path of paths) {
    yield;
    const served = path.routes.map((route) => {
      const handle = handlerOf(contract, route.operationId);
      const ownBytesMax = route.operation['x-body-bytes-max'];
      return {
        route,
        readBody:
          route.requestBody === undefined
            ? readNoBody
            : bodyReaderOf(route.requestBody, handle?.keepsTexts ?? false, ownBytesMax),
        check: checkOf(route, handle?.keepsTexts),
        handle: handle as Served['handle'],
      };
    });
    table.add(path, served);
  }

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
    // A preflight carries no key and asks on behalf of the operation that is to follow: no operation takes it.
    if (match !== null && (cors === undefined || !isPreflight(req))) {
      pipeline.serve(match.target, match.params, req, res);
      return;
    }
    const declared = table.findPath(path);
    if (declared === null) {
      next();
      return;
    }
    const headers = { Allow: declared.allow };
    turnAway({ ...unmatchedRouteOf(req), path: declared.path }, req, res, () => {
      if (req.method === 'OPTIONS') {
        return { status: 204, headers: { ...headers, ...cors?.preflightHeaders(req, declared.allow) } };
      }
      const remedy =
        declared.routes.length === 0 ? 'Nothing can be done to this path as such' : `Use ${declared.allow}`;
      throw new Problem('method_not_allowed', `${remedy}; see /openapi.json.`, { headers });
    });
  };
  router.document = document;
  router.routes = routes;
  router.notFound = (req: Request, res: Response): void => {
    turnAway(unmatchedRouteOf(req), req, res, () => {
      if (!isDecodable(req.url)) throw new Problem('malformed_request', 'Percent-encode the path as UTF-8 (RFC 3986).');
      throw new Problem('route_not_found', 'See /openapi.json for the routes that exist.');
    });
  };
  router.refuse = (problem: Problem, req: Request, res: Response): void => {
    turnAway(unmatchedRoute, req, res, () => {
      throw problem;
    });
  };
  router.fail = (error: unknown, req: Request, res: Response): void => {
    pipeline.fail(error, unmatchedRoute, req, res);
  };
  router.whenIdle = pipeline.whenIdle;
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
  quota: 'client',
  rateLimitPerMinute: undefined,
  toleratesWrongKey: false,
  parameters: [],
  requestBody: undefined,
  operation: {},
});

/** A request that browsers send without being asked: it never uses the quota of a client. */
const auxiliaryRoute: Route = Object.freeze({ ...unmatchedRoute, quota: 'auxiliary' });

function unmatchedRouteOf(req: Request): Route {
  return isPreflight(req) || req.url === '/favicon.ico' ? auxiliaryRoute : unmatchedRoute;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(pathOf(url));
    return true;
  } catch {
    return false;
  }
}

/** Operations that share a body share its reader, unless one takes less than the others. */
function createBodyReaders(
  bytesMax: number,
): (requestBody: RequestBodyObject, passesBytes: boolean, ownBytesMax?: number) => BodyReader {
  const passing = new Map<RequestBodyObject, BodyReader>();
  const others = new Map<RequestBodyObject, BodyReader>();
  return (requestBody, passesBytes, ownBytesMax = bytesMax) => {
    if (ownBytesMax < bytesMax) return createBodyReader(requestBody, ownBytesMax, passesBytes);
    const readers = passesBytes ? passing : others;
    let reader = readers.get(requestBody);
    if (reader === undefined) {
      reader = createBodyReader(requestBody, bytesMax, passesBytes);
      readers.set(requestBody, reader);
    }
    return reader;
  };
}

function handlerOf({ handlers, extraHandlers }: Contract, operationId: string): AnyHandler | undefined {
  if (extraHandlers !== undefined && Object.hasOwn(extraHandlers, operationId)) return extraHandlers[operationId];
  return Object.hasOwn(handlers, operationId) ? handlers[operationId] : undefined;
}

/** All routes, once it is certain that each has a handler and each handler a route. */
function* requireWhole(
  paths: readonly DeclaredPath[],
  contract: Contract,
  canAuthenticate: boolean,
): Steps<readonly Route[]> {
  const routes: Route[] = [];
  const ids = new Set<string>();
  const faults: string[] = [];
  for (const path of paths) {
    yield;
    for (const route of path.routes) {
      routes.push(route);
      ids.add(route.operationId);
      if (handlerOf(contract, route.operationId) === undefined) faults.push(`${route.operationId} has no handler.`);
      if (!route.isPublic && !canAuthenticate) faults.push(`${route.operationId} is secured: give authenticate.`);
    }
  }
  for (const handlers of [contract.handlers, contract.extraHandlers ?? {}]) {
    for (const id of Object.keys(handlers)) {
      yield;
      if (!ids.has(id)) faults.push(`${id} is handled but not in the contract.`);
    }
  }
  if (ids.size < routes.length) faults.push('Two operations share an operationId.');
  if (faults.length > 0) throw new Error(`The contract cannot be served:\n  ${faults.join('\n  ')}`);
  return Object.freeze(routes);
}
