import { parse as parseQuery } from 'node:querystring';
import type { Request, Response } from 'express';
import { Problem } from '../problem/index.ts';
import { Context, type Principal } from './context.ts';
import { toProblem } from './failure.ts';
import type { Reply } from './handler.ts';
import type { OpenApiDocument } from './openapi.ts';
import { createReplyWriter, type ReplyWriterOptions } from './reply-writer.ts';
import type { BodyReader } from './request-body.ts';
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
  readonly readBody: BodyReader | undefined;
  readonly check: CheckRequest;
  readonly handle: (request: RequestParts, context: Context) => Reply | Promise<Reply>;
}

export interface Pipeline {
  serve(served: Served, params: Record<string, string>, req: Request, res: Response): void;
  fail(error: unknown, route: Route, req: Request, res: Response): void;
}

/** The one order of every request: id, clock → key → limit → scope → body, validation → handler → reply → observer. */
export function createPipeline<P extends Principal>(document: OpenApiDocument, policies: Policies<P>): Pipeline {
  const { authenticate, limit, observe, startTrace, clock } = policies;
  const nextId = createRequestIds();
  const writer = createReplyWriter(policies);
  const contextOf = (req: Request, res: Response, route: Route): Context<P> => {
    const context = new Context<P>(req, res, route, nextId(req), clock(), startTrace);
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
    if (found instanceof Promise) {
      return found.then(
        (principal) => welcome(context, principal),
        (error) => charge(context, error),
      );
    }
    return welcome(context, found);
  }

  /** A wrong credential is paid for, and then refused where the operation does not go on without one. */
  async function charge(context: Context<P>, error: unknown): Promise<void> {
    if (context.route.toleratesWrongKey && error instanceof Problem) return admit(context);
    if (limit !== undefined) await (limit.chargeAddress ?? limit)(context);
    throw error;
  }

  function welcome(context: Context<P>, principal: P | null): void | Promise<void> {
    context.principal = principal;
    return admit(context);
  }

  function admit(context: Context<P>): void | Promise<void> {
    const limited = limit?.(context);
    if (limited instanceof Promise) return limited.then(() => authorize(context));
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
  }

  async function run(served: Served, params: Record<string, string>, context: Context<P>): Promise<void> {
    let status: number;
    let problem: Problem | undefined;
    try {
      const guarded = guard(context);
      if (guarded !== undefined) await guarded;
      writer.negotiate(context);
      const body = served.readBody && (await served.readBody(context.req, context.res));
      const parts = { path: params, query: queryOf(context.req.url), body: body?.value };
      const request = served.check(context.req, parts, body);
      const pending = served.handle(request, context as unknown as Context);
      const reply = pending instanceof Promise ? await pending : pending;
      status = reply.status;
      const written = writer.write(context, reply);
      if (written !== undefined) await written;
    } catch (error) {
      if (context.isCallerGone(error)) {
        status = callerGoneStatus;
        context.res.destroy();
      } else {
        problem = toProblem(error);
        status = problem.status;
        writer.writeProblem(context, problem, pathOf(context.req.originalUrl));
      }
    }
    observe?.(context, status, clock() - context.startedMs, problem);
  }

  return {
    serve(served, params, req, res) {
      void run(served, params, contextOf(req, res, served.route));
    },
    fail(error, route, req, res) {
      const context = contextOf(req, res, route);
      const problem = toProblem(error);
      writer.writeProblem(context, problem, pathOf(req.originalUrl));
      observe?.(context, problem.status, clock() - context.startedMs, problem);
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
  // No bound on the count: what is not looked at here would reach handlers that read the query for themselves.
  return start < 0 || start === url.length - 1 ? {} : parseQuery(url.slice(start + 1), '&', '=', { maxKeys: 0 });
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

function missingScopes(required: readonly string[], { scopes }: Principal): Problem {
  const missing = required.filter((scope) => !scopes.includes(scope)).join(', ');
  return new Problem('scope_missing', `This needs what you do not have: ${missing}. Ask for a key with that scope.`);
}

interface SecurityScheme {
  readonly type?: string;
  readonly name?: string;
}
