import type { Request, Response } from 'express';
import { type Cors, isPreflight } from '../edge/cors.ts';
import { createHoldOpen } from '../live/hold-open.ts';
import type { LiveConnections, Readmit } from '../live/live-connections.ts';
import { createRouteProblem, Problem } from '../problem/index.ts';
import { runSteps, type Steps } from '../steps.ts';
import { createAmbiguityChecks, type GuardOf } from './ambiguous-path.ts';
import type { Principal } from './context.ts';
import { mayUse } from './guard.ts';
import type { AnyHandler, Handlers } from './handler.ts';
import { httpMethods, type OpenApiDocument, type RequestBodyObject } from './openapi.ts';
import { createPipeline, type IdleOptions, type PipelineOptions, type RouteParts, type Served } from './pipeline.ts';
import type { RoutePolicies } from './policy-steps.ts';
import { type BodyReader, createBodyReader, readNoBody } from './request-body.ts';
import { pathOf } from './request-head.ts';
import { createRequestChecks } from './request-validator.ts';
import { withRestCheck } from './rest-path.ts';
import { auxiliaryRoute, createDeclaredPathsSteps, type DeclaredPath, type Route, unmatchedRoute } from './route.ts';
import { createRouteTable } from './route-table.ts';

export interface RouterOptions<P extends Principal = Principal> {
  /** Required when the contract secures any operation. */
  readonly authenticate?: PipelineOptions<P>['authenticate'] | undefined;
  readonly limit?: PipelineOptions<P>['limit'];
  readonly observe?: PipelineOptions<P>['observe'];
  /** The allowed origins of pages; none by default. */
  readonly cors?: PipelineOptions<P>['cors'];
  /** Compresses responses above 1 KiB with br or gzip where the client accepts it; true by default. */
  readonly isCompressing?: boolean | undefined;
  /** Chooses the form of problems by request; problem documents by default. */
  readonly formProblem?: PipelineOptions<P>['formProblem'];
  /** Begins the trace of each request; by default traces are only forwarded. */
  readonly startTrace?: PipelineOptions<P>['startTrace'];
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  readonly bodyBytesMax?: number | undefined;
  readonly uriBytesMax?: number | undefined;
  /** The open WebSockets and event streams, which outlive this router. */
  readonly live?: LiveConnections | undefined;
  /** Names what protects an operation; an operation that forwards its path is not read as one with another guard. */
  readonly guardOf?: GuardOf | undefined;
  /** Returns the policies of a route; none by default. */
  readonly policiesOf?: ((operationId: string) => RoutePolicies | undefined) | undefined;
}

/** An Express middleware that serves a contract and calls `next` for undeclared paths. */
export interface ContractRouter {
  (req: Request, res: Response, next: (error?: unknown) => void): void;
  readonly document: OpenApiDocument;
  readonly routes: readonly Route[];
  /** Returns whether the operation of GET at a URL takes WebSocket handshakes. */
  takesWebSockets(url: string): boolean;
  /** Checks an open connection of an earlier router as if it were opened now. */
  readonly readmit: Readmit;
  /** Returns whether the caller of a request may call an operation: its address, credential and scopes. */
  mayCall(req: Request, operationId: string): boolean | Promise<boolean>;
  /** Returns the operationId that serves requests with a method and a URL; undefined without one. */
  operationAt(method: string, url: string): string | undefined;
  /** Responds with 404, after key and limit like for any other request. */
  notFound(req: Request, res: Response): void;
  /** Rejects a request for a fault in its head, after key and limit like for any other request. */
  reject(problem: Problem, req: Request, res: Response): void;
  /** Responds to an error outside of the contract's routes. */
  fail(error: unknown, req: Request, res: Response): void;
  /** Calls back once when no request is in flight or held; for a router that gets no new requests. */
  whenIdle(callback: () => void, options?: IdleOptions): void;
}

/** A document, and the handlers of its operations by operationId. */
export interface Contract {
  readonly document: OpenApiDocument;
  readonly handlers: Handlers;
  /** More handlers, such as those of configured operations, without copying them into one object. */
  readonly extraHandlers?: Handlers | undefined;
}

/** Pausable steps that create a router. */
export type RouterSteps = Steps<ContractRouter>;

/** Returns the router of a contract. Throws with every fault when an operation cannot be served as declared. */
export function createRouter<P extends Principal = Principal>(
  contract: Contract,
  options: RouterOptions<P> = {},
): ContractRouter {
  return runSteps(createRouterSteps(contract, options));
}

/** The same as pausable steps, one per operation: for a server that builds its next router while it serves. */
export function* createRouterSteps<P extends Principal = Principal>(
  contract: Contract,
  options: RouterOptions<P> = {},
): RouterSteps {
  const { document } = contract;
  const { bodyBytesMax = 10 * 1024 * 1024, uriBytesMax = 16 * 1024, cors, policiesOf } = options;
  const paths = yield* createDeclaredPathsSteps(document);
  const routes = yield* checkHandlers(paths, contract, options.authenticate !== undefined);
  const checkOf = createRequestChecks(document);
  let byId: ReadonlyMap<string, Route> | undefined;
  const routeOf = (operationId: string): Route | undefined => {
    byId ??= new Map(routes.map((route) => [route.operationId, route]));
    return byId.get(operationId);
  };
  const readmit: Readmit = async (request) => {
    const route = routeOf(request.operationId);
    const isSame = route?.path === request.path && isWebSocket(route) === (request.kind === 'websocket');
    if (route === undefined || !isSame) return 'endpoint';
    return pipeline.readmit(request, route, policiesOf?.(route.operationId)?.admit);
  };
  const pipeline = createPipeline<P>(document, {
    authenticate: options.authenticate ?? (() => null),
    limit: options.limit,
    observe: options.observe,
    cors,
    isCompressing: options.isCompressing ?? true,
    formProblem: options.formProblem,
    startTrace: options.startTrace,
    clock: options.clock ?? Date.now,
    hold: options.live && createHoldOpen(options.live, readmit),
  });
  const bodyReaderOf = createBodyReaders(bodyBytesMax);
  const table = createRouteTable<Served>();
  const hasCors = cors !== undefined || policiesOf !== undefined;
  const withAmbiguityCheck = yield* createAmbiguityChecks({
    paths,
    guardOf: options.guardOf ?? (() => undefined),
    findPath: table.findPath,
  });
  for (const path of paths) {
    yield;
    const served = path.routes.map((route) => {
      const handle = handlerOf(contract, route.operationId);
      const ownBytesMax = route.operation['x-body-bytes-max'];
      const check = withRestCheck(route, checkOf(route, handle));
      const parts = {
        route,
        readBody:
          route.requestBody === undefined
            ? readNoBody
            : bodyReaderOf(route.requestBody, handle?.forwardsTexts ?? false, ownBytesMax),
        check: handle?.forwardsTexts === true ? withAmbiguityCheck(route, check) : check,
        handle: handle as Served['handle'],
      };
      return pipeline.prepare(parts, policiesOf?.(route.operationId));
    });
    table.add(path, served);
  }

  /** Serves a request without an operation, after key and limit. */
  function serveUnmatched(
    route: Route,
    req: Request,
    res: Response,
    handle: RouteParts['handle'],
    policies?: RoutePolicies,
  ): void {
    const parts: RouteParts = { route, readBody: undefined, check: (_, parsed) => parsed, handle };
    pipeline.serve(pipeline.prepare(parts, policies), {}, req, res);
  }

  /** Returns the CORS policy of the operation that follows a preflight, in place of the server's; undefined without one. */
  function corsAfter({ headers }: Request, path: string): Cors | null | undefined {
    const found = table.find(String(headers['access-control-request-method']).toUpperCase(), path);
    return found === null ? undefined : policiesOf?.(found.target.route.operationId)?.cors;
  }

  const router = (req: Request, res: Response, next: (error?: unknown) => void): void => {
    if (req.url.length > uriBytesMax) {
      serveUnmatched(unmatchedRoute, req, res, () => {
        throw new Problem('uri_too_long', `Send a URL of at most ${uriBytesMax} bytes.`);
      });
      return;
    }
    const path = pathOf(req.url);
    const match = table.find(req.method, path);
    // A preflight has no key; the router itself responds to it for the operation that follows.
    if (match !== null && (!hasCors || !isPreflight(req))) {
      pipeline.serve(match.target, match.params, req, res);
      return;
    }
    const declared = table.findPath(path);
    if (declared === null) {
      next();
      return;
    }
    const found = upperMethods.flatMap((method) => {
      const { target } = table.find(method, path) ?? {};
      return target === undefined ? [] : [{ method, route: target.route }];
    });
    const own = hasCors && isPreflight(req) ? corsAfter(req, path) : undefined;
    const respond: RouteParts['handle'] = (_request, { principal }) => {
      if (req.method === 'OPTIONS') {
        const usable = found.filter(({ route }) => principal === null || mayUse(route, principal));
        const allow = allowOf(usable);
        const policy = own === undefined ? cors : own;
        return { status: 204, headers: { Allow: allow, ...policy?.preflightHeaders(req, allow) } };
      }
      const allow = allowOf(found);
      const remedy = declared.routes.length === 0 ? 'This path has no operations' : `Use ${allow}`;
      throw new Problem('method_not_allowed', `${remedy}; see /openapi.json.`, { headers: { Allow: allow } });
    };
    serveUnmatched({ ...unmatchedRouteOf(req), path: declared.path }, req, res, respond, { cors: own });
  };
  router.document = document;
  router.routes = routes;
  router.takesWebSockets = (url: string): boolean => isWebSocket(table.find('GET', pathOf(url))?.target.route);
  router.readmit = readmit;
  router.mayCall = (req: Request, operationId: string): boolean | Promise<boolean> => {
    const route = routeOf(operationId);
    return route !== undefined && pipeline.mayCall(req, route, policiesOf?.(operationId)?.admit);
  };
  router.operationAt = (method: string, url: string): string | undefined =>
    table.find(method, pathOf(url))?.target.route.operationId;
  router.notFound = (req: Request, res: Response): void => {
    serveUnmatched(unmatchedRouteOf(req), req, res, () => {
      if (isFavicon(req)) return { status: 204, headers: { 'Cache-Control': 'public, max-age=86400' } };
      if (!isDecodable(req.url)) throw new Problem('malformed_request', 'Percent-encode the path as UTF-8 (RFC 3986).');
      throw createRouteProblem();
    });
  };
  router.reject = (problem: Problem, req: Request, res: Response): void => {
    serveUnmatched(unmatchedRoute, req, res, () => {
      throw problem;
    });
  };
  router.fail = (error: unknown, req: Request, res: Response): void => {
    pipeline.fail(error, unmatchedRoute, req, res);
  };
  router.whenIdle = pipeline.whenIdle;
  return router;
}

function isWebSocket(route: Route | undefined): boolean {
  return route?.operation['x-websocket'] === true;
}

function allowOf(found: readonly { readonly method: string }[]): string {
  return [...new Set(['OPTIONS', ...found.map(({ method }) => method)])].sort().join(', ');
}

const upperMethods = httpMethods.map((method) => method.toUpperCase());

function unmatchedRouteOf(req: Request): Route {
  return isPreflight(req) || isFavicon(req) ? auxiliaryRoute : unmatchedRoute;
}

/** Browsers request it for every page, also for those of a service; the pages of this server name their own icon. */
function isFavicon({ url, method }: Request): boolean {
  return url === '/favicon.ico' && (method === 'GET' || method === 'HEAD');
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(pathOf(url));
    return true;
  } catch {
    return false;
  }
}

/** Returns the reader of a body; operations with the same body share it, unless they have a lower limit. */
function createBodyReaders(
  bytesMax: number,
): (requestBody: RequestBodyObject, passesBytes: boolean, ownBytesMax?: number) => BodyReader {
  const passingBytes = new Map<RequestBodyObject, BodyReader>();
  const parsing = new Map<RequestBodyObject, BodyReader>();
  return (requestBody, passesBytes, ownBytesMax = bytesMax) => {
    if (ownBytesMax < bytesMax) return createBodyReader(requestBody, ownBytesMax, passesBytes);
    const readers = passesBytes ? passingBytes : parsing;
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

/** Returns all routes; throws unless each has a handler and each handler has a route. */
function* checkHandlers(
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
      if (!route.isPublic && !canAuthenticate)
        faults.push(`${route.operationId} is secured, which requires authenticate.`);
    }
  }
  for (const handlers of [contract.handlers, contract.extraHandlers ?? {}]) {
    for (const id of Object.keys(handlers)) {
      yield;
      if (!ids.has(id)) faults.push(`${id} has a handler but is not in the contract.`);
    }
  }
  if (ids.size < routes.length) faults.push('Two operations share an operationId.');
  if (faults.length > 0) throw new Error(`The contract cannot be served:\n  ${faults.join('\n  ')}`);
  return Object.freeze(routes);
}
