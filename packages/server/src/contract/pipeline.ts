import type { Request, Response } from 'express';
import type { Cors } from '../edge/cors.ts';
import type { LiveRequest, Readmit } from '../live/live-connections.ts';
import { Problem } from '../problem/index.ts';
import { toProblem } from '../problem/problem.ts';
import { Context, type Principal } from './context.ts';
import { type Authenticate, authorize, createGuard, type Guard, isPending, type Limit } from './guard.ts';
import type { Reply, RequestParts } from './handler.ts';
import type { OpenApiDocument } from './openapi.ts';
import { isPassive, type RoutePolicies } from './policy-steps.ts';
import { createReplyWriter, type ReplyWriter, type ReplyWriterOptions } from './reply-writer.ts';
import { type BodyReader, type ParsedBody, readNoBody } from './request-body.ts';
import { createRequestIds, hasBody, pathOf, queryOf } from './request-head.ts';
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
  /** Returns whether the caller of a request may call another route: its address, credential and scopes. */
  mayCall(req: Request, route: Route, admit: RoutePolicies['admit']): Promise<boolean>;
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

  /** Returns what of a request a route rejects, uncounted. */
  async function checkCaller(
    req: Pick<Request, 'rawHeaders' | 'headers'>,
    route: Route,
    admit: RoutePolicies['admit'],
  ): Promise<'address' | 'credential' | 'unknown' | { readonly endsAtMs: number | undefined }> {
    const context = { req, route, principal: null } as unknown as Context<P>;
    try {
      admit?.(context as unknown as Context, 'uncounted');
    } catch {
      return 'address';
    }
    try {
      context.principal = await authenticate(context);
      authorize(document, context);
      return { endsAtMs: context.principal?.endsAtMs };
    } catch (error) {
      return error instanceof Problem && error.status < 500 ? 'credential' : 'unknown';
    }
  }

  async function readmit(request: LiveRequest, route: Route, admit: RoutePolicies['admit']): ReturnType<Readmit> {
    const { rawHeaders } = request;
    // The stored request identifies its connection, for which digests of credentials are cached.
    const req = { rawHeaders, headers: headersOf(rawHeaders), socket: request };
    const found = await checkCaller(req as unknown as Request, route, admit);
    // A credential that could not be checked may still be valid.
    return found === 'unknown' ? undefined : found;
  }

  async function mayCall(req: Request, route: Route, admit: RoutePolicies['admit']): Promise<boolean> {
    return typeof (await checkCaller(req, route, admit)) === 'object';
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
    mayCall,
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
