import type { Request, Response } from 'express';
import type { Problem } from '../problem/index.ts';
import { toProblem } from '../problem/problem.ts';
import { hasBody } from './body-bytes.ts';
import { Context, type Principal } from './context.ts';
import { type Authenticate, createGuard, isPending, type Limit } from './guard.ts';
import type { Reply, RequestParts } from './handler.ts';
import type { OpenApiDocument } from './openapi.ts';
import { parseQuery } from './query.ts';
import { createReplyWriter, type ReplyWriterOptions } from './reply-writer.ts';
import { type BodyReader, type ParsedBody, readNoBody } from './request-body.ts';
import { createRequestIds } from './request-head.ts';
import type { CheckRequest } from './request-validator.ts';
import type { Route } from './route.ts';
import type { StartTrace } from './trace.ts';

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

/** A route with its body reader, check and handler. */
export interface Served {
  readonly route: Route;
  /** Undefined where the body is ignored, because the request has no operation. */
  readonly readBody: BodyReader | undefined;
  readonly check: CheckRequest;
  readonly handle: (request: RequestParts, context: Context) => Reply | Promise<Reply>;
}

export interface IdleOptions {
  /** Does not wait for background work after responses. */
  readonly ignoresHeld?: boolean;
}

export interface Pipeline {
  serve(served: Served, params: Record<string, string>, req: Request, res: Response): void;
  fail(error: unknown, route: Route, req: Request, res: Response): void;
  /** Calls back when no request is in flight or held: immediately, or at the end of the last one. */
  whenIdle(callback: () => void, options?: IdleOptions): void;
}

/** Runs every request in one order: id, clock → key → limit → scope → body, validation → handler → reply → observer. */
export function createPipeline<P extends Principal>(document: OpenApiDocument, policies: Policies<P>): Pipeline {
  const { authenticate, limit, observe, startTrace, clock } = policies;
  const nextId = createRequestIds();
  const guard = createGuard(document, authenticate, limit);
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
    // A recorded trace begins with the request.
    if (startTrace !== undefined) void context.trace;
    return context;
  };

  /** A request that waits for nothing creates no promise. */
  function run(served: Served, params: Record<string, string>, context: Context<P>): void {
    let reply: Reply | Promise<Reply>;
    try {
      const guarded = guard(context);
      reply =
        guarded === undefined
          ? readAndHandle(served, params, context)
          : guarded.then(() => readAndHandle(served, params, context));
    } catch (error) {
      fail(context, error);
      return;
    }
    if (isPending(reply)) {
      Promise.resolve<Reply>(reply).then(
        (resolved) => respond(context, resolved),
        (error) => fail(context, error),
      );
    } else {
      respond(context, reply);
    }
  }

  function readAndHandle(served: Served, params: Record<string, string>, context: Context<P>): Reply | Promise<Reply> {
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

  function respond(context: Context<P>, reply: Reply): void {
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

/** Only for logs and metrics, since the client has left; proxies use the same number. */
const callerGoneStatus = 499;

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function queryOf(url: string): Record<string, unknown> {
  const start = url.indexOf('?');
  return start < 0 || start === url.length - 1 ? Object.create(null) : parseQuery(url.slice(start + 1));
}
