import type { Request, Response } from 'express';
import { Problem } from '../problem/index.ts';
import { Context, type Principal } from './context.ts';
import { hasBody } from './early-response.ts';
import { toProblem } from './failure.ts';
import type { Reply } from './handler.ts';
import { isPending } from './is-pending.ts';
import type { OpenApiDocument } from './openapi.ts';
import { parseQuery } from './query.ts';
import { createReplyWriter, type ReplyWriterOptions } from './reply-writer.ts';
import { type BodyReader, type ParsedBody, readNoBody } from './request-body.ts';
import { createRequestIds } from './request-id.ts';
import type { CheckRequest, RequestParts } from './request-validator.ts';
import type { Route } from './route.ts';
import type { StartTrace } from './trace.ts';

/** Null when nothing was presented; throws a 401 `Problem` for a credential that is wrong. */
export type Authenticate<P extends Principal> = (context: Context<P>) => P | null | Promise<P | null>;
/** Lets the request pass or throws `limit_exceeded`. */
export interface Limit<P extends Principal> {
  (context: Context<P>): void | Promise<void>;
  /** Charges a wrong credential to its address, on exempt routes too: there guessing would be free otherwise. */
  chargeAddress?(context: Context<P>): void | Promise<void>;
}
/** Called once for each finished request. */
export type Observe<P extends Principal> = (
  context: Context<P>,
  status: number,
  durationMs: number,
  problem?: Problem,
) => void;

export interface Policies<P extends Principal> extends ReplyWriterOptions {
  readonly authenticate: Authenticate<P>;
  readonly limit: Limit<P> | undefined;
  readonly observe: Observe<P> | undefined;
  readonly startTrace: StartTrace | undefined;
  readonly clock: () => number;
}

/** A route with all that the contract alone decides, made once. */
export interface Served {
  readonly route: Route;
  /** Undefined where a body does not matter, because no operation takes the request. */
  readonly readBody: BodyReader | undefined;
  readonly check: CheckRequest;
  readonly handle: (request: RequestParts, context: Context) => Reply | Promise<Reply>;
}

export interface IdleOptions {
  /** Does not wait for what goes on in the background after its response. */
  readonly ignoresHeld?: boolean;
}

export interface Pipeline {
  serve(served: Served, params: Record<string, string>, req: Request, res: Response): void;
  fail(error: unknown, route: Route, req: Request, res: Response): void;
  /** Calls back once no request is in flight or held: at once, or with the end of the last one. */
  whenIdle(callback: () => void, options?: IdleOptions): void;
}

/** The one order of every request: id, clock → key → limit → scope → body, validation → handler → reply → observer. */
export function createPipeline<P extends Principal>(document: OpenApiDocument, policies: Policies<P>): Pipeline {
  const { authenticate, limit, observe, startTrace, clock } = policies;
  const nextId = createRequestIds();
  const writer = createReplyWriter(policies);
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
    // What records a trace has to know when it began.
    if (startTrace !== undefined) void context.trace;
    return context;
  };

  // Nothing here waits unless it must: keys and counts in memory are decided at once.
  function guard(context: Context<P>): void | Promise<void> {
    let found: P | null | Promise<P | null>;
    try {
      found = authenticate(context);
    } catch (error) {
      return charge(context, error);
    }
    if (isPending(found)) {
      return Promise.resolve<P | null>(found).then(
        (principal) => welcome(context, principal),
        (error) => charge(context, error),
      );
    }
    return welcome(context, found);
  }

  /** A wrong credential is paid for, and then refused where the operation does not go on without one. */
  async function charge(context: Context<P>, error: unknown): Promise<void> {
    if (context.route.toleratesWrongKey && error instanceof Problem) return admit(context);
    // Nobody knows whether the credential is wrong, so its sender must not run into 429 for it.
    const isUnknown = error instanceof Problem && error.status === 503;
    if (limit !== undefined && !isUnknown) await (limit.chargeAddress ?? limit)(context);
    throw error;
  }

  function welcome(context: Context<P>, principal: P | null): void | Promise<void> {
    context.principal = principal;
    return admit(context);
  }

  function admit(context: Context<P>): void | Promise<void> {
    const limited = limit?.(context);
    if (isPending(limited)) return Promise.resolve(limited).then(() => authorize(context));
    authorize(context);
  }

  function authorize({ route, principal }: Context<P>): void {
    if (principal === null) {
      if (!route.isPublic) throw missingCredential(document, route);
      return;
    }
    const { requiredScopes } = route;
    for (let i = 0; i < requiredScopes.length; i++) {
      if (!principal.scopes.includes(requiredScopes[i] as string)) throw missingScopes(requiredScopes, principal);
    }
    if (principal.forbidden?.has(route.operationId)) throw forbiddenOperation(route);
  }

  /** What is decided at once is answered at once: an operation that waits for nothing costs no promise. */
  function run(served: Served, params: Record<string, string>, context: Context<P>): void {
    let reply: Reply | Promise<Reply>;
    try {
      const guarded = guard(context);
      reply = guarded === undefined ? take(served, params, context) : guarded.then(() => take(served, params, context));
    } catch (error) {
      fail(context, error);
      return;
    }
    if (isPending(reply)) {
      Promise.resolve<Reply>(reply).then(
        (late) => answer(context, late),
        (error) => fail(context, error),
      );
    } else {
      answer(context, reply);
    }
  }

  function take(served: Served, params: Record<string, string>, context: Context<P>): Reply | Promise<Reply> {
    writer.negotiate(context);
    const { readBody } = served;
    return readBody === undefined || (readBody === readNoBody && !hasBody(context.req))
      ? handle(served, params, context, undefined)
      : readBody(context.req).then((body) => handle(served, params, context, body));
  }

  function handle(
    served: Served,
    params: Record<string, string>,
    context: Context<P>,
    body: ParsedBody | undefined,
  ): Reply | Promise<Reply> {
    const parts = { path: params, query: queryOf(context.req.url), body: body?.value };
    return served.handle(served.check(context.req, parts, body), context as unknown as Context);
  }

  function answer(context: Context<P>, reply: Reply): void {
    let written: undefined | Promise<void>;
    try {
      written = writer.write(context, reply);
    } catch (error) {
      fail(context, error);
      return;
    }
    if (written === undefined) end(context, reply.status);
    else {
      written.then(
        () => end(context, reply.status),
        (error) => fail(context, error),
      );
    }
  }

  function fail(context: Context<P>, error: unknown): void {
    if (context.isCallerGone(error)) {
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
    serve(served, params, req, res) {
      run(served, params, contextOf(req, res, served.route));
    },
    fail: (error, route, req, res) => fail(contextOf(req, res, route), error),
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

/** For logs and metrics alone: nobody is left to be answered. The number is the one that proxies use. */
const callerGoneStatus = 499;

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function queryOf(url: string): Record<string, unknown> {
  const start = url.indexOf('?');
  return start < 0 || start === url.length - 1 ? Object.create(null) : parseQuery(url.slice(start + 1));
}

function missingCredential(document: OpenApiDocument, route: Route): Problem {
  const schemes = document.components?.securitySchemes as Readonly<Record<string, SecurityScheme>> | undefined;
  const wanted = route.security.flatMap((s) => Object.keys(s)).map((name) => schemes?.[name]);
  const isKey = wanted.some((scheme) => scheme?.type === 'apiKey');
  const ways = wanted.map((scheme) =>
    scheme?.type === 'apiKey' ? `the ${scheme.name} header` : 'Authorization: Bearer',
  );
  return new Problem(
    isKey ? 'key_missing' : 'token_missing',
    `Send your ${isKey ? 'key' : 'token'} in ${[...new Set(ways)].join(' or ')}.`,
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}

function forbiddenOperation({ operationId }: Route): Problem {
  const detail = `Your key does not allow ${operationId}. Ask the operator for one that does.`;
  return new Problem('operation_forbidden', detail);
}

function missingScopes(required: readonly string[], { scopes }: Principal): Problem {
  const missing = required.filter((scope) => !scopes.includes(scope)).join(', ');
  return new Problem('scope_missing', `This needs what you do not have: ${missing}. Ask for a key with that scope.`);
}

interface SecurityScheme {
  readonly type?: string;
  readonly name?: string;
}
