import type { Request, Response } from 'express';
import type { Cors } from '../edge/cors.ts';
import type { LiveRequest, Readmit } from '../live/live-connections.ts';
import { Problem } from '../problem/index.ts';
import { toProblem } from '../problem/problem.ts';
import { Context, type Principal } from './context.ts';
import type { Reply, RequestParts } from './handler.ts';
import type { OpenApiDocument } from './openapi.ts';
import { isPassive, type RoutePolicies } from './policy-steps.ts';
import { createReplyWriter, type ReplyWriter, type ReplyWriterOptions } from './reply-writer.ts';
import { type BodyReader, type ParsedBody, readNoBody } from './request-body.ts';
import { createRequestIds, hasBody, pathOf, queryOf } from './request-head.ts';
import type { CheckRequest } from './request-validator.ts';
import type { Route } from './route.ts';
import type { StartTrace } from './trace.ts';

/** Returns null for a request without credentials; throws a 401 `Problem` for wrong ones. */
export type Authenticate<P extends Principal> = (context: Context<P>) => P | null | Promise<P | null>;

/** Counts the request; throws `limit_exceeded` above the limit. */
export interface Limit<P extends Principal> {
  (context: Context<P>): void | Promise<void>;
  /** Counts a wrong credential against its address, on exempt routes too: otherwise guessing would be free there. */
  countAddress?(context: Context<P>): void | Promise<void>;
}

/** Called once for each finished request. */
export type Observe<P extends Principal> = (
  context: Context<P>,
  status: number,
  durationMs: number,
  problem?: Problem,
) => void;

export interface PipelineOptions<P extends Principal> extends ReplyWriterOptions {
  readonly authenticate: Authenticate<P>;
  readonly limit: Limit<P> | undefined;
  readonly observe: Observe<P> | undefined;
  readonly startTrace: StartTrace | undefined;
  readonly clock: () => number;
}

/** A route with its body reader, check and handler. */
export interface RouteParts {
  readonly route: Route;
  /** Undefined where the body is ignored, because the request has no operation. */
  readonly readBody: BodyReader | undefined;
  readonly check: CheckRequest;
  readonly handle: (request: RequestParts, context: Context) => Reply | Promise<Reply>;
}

/** A route with the functions that serve it, chosen once: a route without policies runs nothing for them. */
export interface Served extends RouteParts {
  readonly answer: (served: Served, params: Record<string, string>, context: Context) => Reply | Promise<Reply>;
  readonly writer: ReplyWriter;
}

export interface IdleOptions {
  /** Does not wait for background work after responses. */
  readonly ignoresHeld?: boolean;
}

export interface Pipeline {
  prepare(parts: RouteParts, policies?: RoutePolicies): Served;
  serve(served: Served, params: Record<string, string>, req: Request, res: Response): void;
  fail(error: unknown, route: Route, req: Request, res: Response): void;
  /** Checks the credential and the address of an open connection against a route. */
  readmit(request: LiveRequest, route: Route, admit: RoutePolicies['admit']): ReturnType<Readmit>;
  /** Calls back when no request is in flight or held: immediately, or at the end of the last one. */
  whenIdle(callback: () => void, options?: IdleOptions): void;
}

/**
 * Runs every request in one order: id, clock → address → key → limit → scope → `before` policies → body, validation →
 * handler → `after` policies → reply → observer.
 */
export function createPipeline<P extends Principal>(document: OpenApiDocument, options: PipelineOptions<P>): Pipeline {
  const { authenticate, limit, observe, startTrace, clock } = options;
  const nextId = createRequestIds();
  const guard = createGuard(document, authenticate, limit) as Guard<Principal>;
  const commonWriter = createReplyWriter(options);
  const writers = new Map<Cors | null, ReplyWriter>();
  const writerOf = (cors: Cors | null | undefined): ReplyWriter => {
    if (cors === undefined) return commonWriter;
    const writer = writers.get(cors) ?? createReplyWriter({ ...options, cors: cors ?? undefined });
    writers.set(cors, writer);
    return writer;
  };
  let inFlight = 0;
  let held = 0;
  let onIdle: (() => void) | undefined;
  let waitsForHeld = true;
  const callIfIdle = (): void => {
    if (inFlight === 0 && (held === 0 || !waitsForHeld)) onIdle?.();
  };
  const release = (): void => {
    held--;
    callIfIdle();
  };
  const hold = () => {
    held++;
    return release;
  };
  const contextOf = (req: Request, res: Response, route: Route): Context<P> => {
    inFlight++;
    const context = new Context<P>(req, res, route, nextId(req), clock(), startTrace, hold);
    // A recorded trace begins with the request.
    if (startTrace !== undefined) void context.trace;
    return context;
  };

  async function readmit(request: LiveRequest, route: Route, admit: RoutePolicies['admit']): ReturnType<Readmit> {
    const { rawHeaders, endsAtMs } = request;
    // The stored request identifies its connection, for which digests of credentials are cached.
    const req = { rawHeaders, headers: headersOf(rawHeaders), socket: request };
    const context = { req, route, principal: null } as unknown as Context<P>;
    try {
      admit?.(context as unknown as Context);
    } catch {
      return 'address';
    }
    try {
      context.principal = await authenticate(context);
      authorize(document, context);
      return { endsAtMs: context.principal?.endsAtMs };
    } catch (error) {
      // A credential that could not be checked may still be valid.
      return error instanceof Problem && error.status < 500 ? 'credential' : { endsAtMs };
    }
  }

  /** A request that waits for nothing creates no promise. */
  function run(served: Served, params: Record<string, string>, context: Context<P>): void {
    let reply: Reply | Promise<Reply>;
    try {
      reply = served.answer(served, params, context as unknown as Context);
    } catch (error) {
      fail(served.writer, context, error);
      return;
    }
    if (isPending(reply)) {
      Promise.resolve<Reply>(reply).then(
        (resolved) => respond(served.writer, context, resolved),
        (error) => fail(served.writer, context, error),
      );
    } else {
      respond(served.writer, context, reply);
    }
  }

  /** The steps of a route without policies. */
  function answer(served: Served, params: Record<string, string>, context: Context): Reply | Promise<Reply> {
    const guarded = guard(context);
    return guarded === undefined
      ? readAndHandle(served, params, context)
      : guarded.then(() => readAndHandle(served, params, context));
  }

  /** Returns the steps of a route with policies. */
  function createPolicyAnswer({ admit, before, after }: RoutePolicies): Served['answer'] {
    type Step = Served['answer'];
    const enter: Step =
      before === undefined
        ? readAndHandle
        : (served, params, context) => {
            const early = before(context);
            const proceed = (reply: Reply | undefined) => {
              if (reply === undefined) return readAndHandle(served, params, context);
              commonWriter.negotiate(context);
              return reply;
            };
            return isPending(early) ? Promise.resolve(early).then(proceed) : proceed(early);
          };
    const leave: Step =
      after === undefined
        ? enter
        : (served, params, context) => {
            const reply = enter(served, params, context);
            if (!isPending(reply)) return after(reply, context);
            return Promise.resolve<Reply>(reply).then((resolved) => after(resolved, context));
          };
    return (served, params, context) => {
      admit?.(context);
      const guarded = guard(context);
      return guarded === undefined
        ? leave(served, params, context)
        : guarded.then(() => leave(served, params, context));
    };
  }

  function readAndHandle(served: Served, params: Record<string, string>, context: Context): Reply | Promise<Reply> {
    commonWriter.negotiate(context);
    const { readBody } = served;
    return readBody === undefined || (readBody === readNoBody && !hasBody(context.req))
      ? handle(served, params, context, undefined)
      : readBody(context.req).then((body) => handle(served, params, context, body));
  }

  function handle(
    served: Served,
    params: Record<string, string>,
    context: Context,
    body: ParsedBody | undefined,
  ): Reply | Promise<Reply> {
    const parts = { path: params, query: queryOf(context.req.url), body: body?.value };
    return served.handle(served.check(context.req, parts, body), context);
  }

  function respond(writer: ReplyWriter, context: Context<P>, reply: Reply): void {
    let written: undefined | Promise<void>;
    try {
      written = writer.write(context, reply);
    } catch (error) {
      fail(writer, context, error);
      return;
    }
    if (written === undefined) end(context, reply.status);
    else {
      written.then(
        () => end(context, reply.status),
        (error) => fail(writer, context, error),
      );
    }
  }

  function fail(writer: ReplyWriter, context: Context<P>, error: unknown): void {
    if (context.isClientGone(error)) {
      context.res.destroy();
      end(context, callerGoneStatus);
      return;
    }
    const problem = toProblem(error);
    writer.writeProblem(context, problem, pathOf(context.req.originalUrl));
    end(context, problem.status, problem);
  }

  function end(context: Context<P>, status: number, problem?: Problem): void {
    try {
      observe?.(context, status, clock() - context.startedMs, problem);
    } finally {
      inFlight--;
      callIfIdle();
    }
  }

  return {
    prepare: (parts, policies) => ({
      ...parts,
      answer: policies === undefined || isPassive(policies) ? answer : createPolicyAnswer(policies),
      writer: writerOf(policies?.cors),
    }),
    serve(served, params, req, res) {
      run(served, params, contextOf(req, res, served.route));
    },
    readmit,
    fail: (error, route, req, res) => fail(commonWriter, contextOf(req, res, route), error),
    whenIdle(callback, { ignoresHeld = false } = {}) {
      waitsForHeld = !ignoresHeld;
      onIdle = () => {
        onIdle = undefined;
        callback();
      };
      callIfIdle();
    },
  };
}

/** Only for logs and metrics, since the client has left; proxies use the same number. */
const callerGoneStatus = 499;

/** Authenticates, counts and authorizes a request. Synchronous where possible: keys and counts in memory need no promise. */
type Guard<P extends Principal> = (context: Context<P>) => void | Promise<void>;

/** Returns the guard of all requests, which sets their principal. */
function createGuard<P extends Principal>(
  document: OpenApiDocument,
  authenticate: Authenticate<P>,
  limit: Limit<P> | undefined,
): Guard<P> {
  function guard(context: Context<P>): void | Promise<void> {
    let authenticated: P | null | Promise<P | null>;
    try {
      authenticated = authenticate(context);
    } catch (error) {
      return handleWrongCredential(context, error);
    }
    if (isPending(authenticated)) {
      return Promise.resolve<P | null>(authenticated).then(
        (principal) => setPrincipal(context, principal),
        (error) => handleWrongCredential(context, error),
      );
    }
    return setPrincipal(context, authenticated);
  }

  /** Counts a wrong credential, and rejects it where the operation does not tolerate one. */
  async function handleWrongCredential(context: Context<P>, error: unknown): Promise<void> {
    if (context.route.toleratesWrongKey && error instanceof Problem) return countRequest(context);
    // A credential that could not be checked must not lead to 429.
    const isUnknown = error instanceof Problem && error.status === 503;
    if (limit !== undefined && !isUnknown) await (limit.countAddress ?? limit)(context);
    throw error;
  }

  function setPrincipal(context: Context<P>, principal: P | null): void | Promise<void> {
    context.principal = principal;
    return countRequest(context);
  }

  function countRequest(context: Context<P>): void | Promise<void> {
    const limited = limit?.(context);
    if (isPending(limited)) return Promise.resolve(limited).then(() => authorize(document, context));
    authorize(document, context);
  }

  return guard;
}

function authorize(document: OpenApiDocument, { route, principal }: Pick<Context, 'route' | 'principal'>): void {
  if (principal === null) {
    if (!route.isPublic) throw missingCredential(document, route);
    return;
  }
  const { requiredScopes } = route;
  for (let i = 0; i < requiredScopes.length; i++) {
    if (!principal.scopes.includes(requiredScopes[i] as string)) throw missingScopes(document, route, principal);
  }
  if (principal.forbidden?.has(route.operationId)) throw forbiddenOperation(route);
}

/** Returns headers by lower-case name, of names and values in turn; repeated ones are joined. */
function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    const before = headers[name];
    headers[name] = before === undefined ? (rawHeaders[i + 1] as string) : `${before}, ${rawHeaders[i + 1]}`;
  }
  return headers;
}

function missingCredential(document: OpenApiDocument, route: Route): Problem {
  const accepted = acceptedSchemes(document, route);
  const isKey = accepted.some(isOfKey);
  const own = accepted.filter((scheme) => !isOfIssuer(scheme));
  const headers = own.map((scheme) =>
    scheme?.type === 'apiKey' ? `the ${scheme.name} header` : 'Authorization: Bearer',
  );
  const ways = own.length === 0 ? [] : [`your ${isKey ? 'key' : 'token'} in ${[...new Set(headers)].join(' or ')}`];
  if (own.length < accepted.length) ways.push('an access token in Authorization: Bearer');
  return new Problem(isKey ? 'key_missing' : 'token_missing', `Send ${ways.join(', or ')}.`, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function acceptedSchemes({ components }: OpenApiDocument, { security }: Route): (SecurityScheme | undefined)[] {
  const schemes = components?.securitySchemes as Readonly<Record<string, SecurityScheme>> | undefined;
  return security.flatMap((requirement) => Object.keys(requirement)).map((name) => schemes?.[name]);
}

function isOfKey(scheme: SecurityScheme | undefined): boolean {
  return scheme?.type === 'apiKey';
}

/** Whether the credential is a token that another server issues. */
function isOfIssuer(scheme: SecurityScheme | undefined): boolean {
  return scheme?.type === 'openIdConnect' || scheme?.bearerFormat === 'JWT';
}

function forbiddenOperation({ operationId }: Route): Problem {
  return new Problem(
    'operation_forbidden',
    `This key does not allow ${operationId}. Ask the operator for one that does.`,
  );
}

function missingScopes(document: OpenApiDocument, route: Route, { scopes }: Principal): Problem {
  const accepted = acceptedSchemes(document, route);
  const credential = !accepted.some(isOfKey) ? 'token' : accepted.some(isOfIssuer) ? 'key or token' : 'key';
  const missing = route.requiredScopes.filter((scope) => !scopes.includes(scope)).map((scope) => `"${scope}"`);
  const [noun, wanted] = missing.length === 1 ? ['scope', 'that scope'] : ['scopes', 'these scopes'];
  return new Problem(
    'scope_missing',
    `This ${credential} lacks the ${noun} ${missing.join(', ')}. Ask the operator for a ${credential} with ${wanted}.`,
  );
}

interface SecurityScheme {
  readonly type?: string;
  readonly name?: string;
  readonly bearerFormat?: string;
}

/**
 * Returns whether a value is a promise. Tests for `then` rather than the class: promises of other realms and query builders
 * are no `Promise`, and an unawaited one would be used as the value itself.
 */
export function isPending<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}
