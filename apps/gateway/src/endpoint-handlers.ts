import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { ConfigError, faultAt } from '@rostergate/config';
import {
  type CheckedReply,
  createInputReader,
  createReplyReader,
  createServiceProblems,
  type Endpoint,
  type RawHandler,
  type RawRequest,
  responseCheckOf,
  type Service,
  takesFields,
} from '@rostergate/endpoints';
import { type AnyHandler, type Context, isPending, type Reply, receivedBytesOf, UnreadBody } from '@rostergate/server';
import { toError } from '@rostergate/server/lifecycle';
import { createValidationProblem, Problem } from '@rostergate/server/problem';
import type { Steps } from '@rostergate/server/steps';
import { createPathReader, rawQueryOf } from '@rostergate/upstream';
import type { CacheOutcome, ResponseCache } from '@rostergate/upstream/cache';
import {
  cacheScopeOf,
  createCachedHandler,
  createInvalidatingHandler,
  createUncachedHandler,
  type Invalidate,
  type RequestHandler,
} from './cached-handlers.ts';
import { openServiceStream, ServiceStream } from './service-stream.ts';
import { asServiceCode, placeInStack, stackOf } from './sources/service-origin.ts';

/** The handlers of the endpoints of one configuration. */
export interface EndpointHandlers {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Names of the scopes of their responses in the cache. */
  readonly cacheScopes: ReadonlySet<string>;
  /** Closes every raw service and resolves with the errors. Call it when no request needs them. */
  close(): Promise<readonly unknown[]>;
}

export interface CacheDependencies {
  /** Cached responses; an unchanged endpoint keeps its own across generations. */
  readonly cache: ResponseCache;
  readonly invalidate: Invalidate;
  /** Counts how the cache handled a request. */
  readonly onCacheOutcome: (result: CacheOutcome['result']) => void;
}

/** Creates the handlers in steps, one each; responses of endpoints with `cache_seconds` are cached. */
export function* createEndpointHandlersSteps(
  endpoints: readonly Endpoint[],
  { cache, invalidate, onCacheOutcome }: CacheDependencies,
  serviceTimeoutMs: number,
): Steps<EndpointHandlers> {
  const opened: RawHandler[] = [];
  const handlers: Record<string, AnyHandler> = {};
  const close = async () => {
    const outcomes = await Promise.allSettled(opened.map(async (handler) => handler.close?.()));
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  };
  const isCaching = endpoints.some(({ cacheSeconds }) => cacheSeconds > 0);
  const cacheScopes = new Set<string>();
  try {
    for (const endpoint of endpoints) {
      yield;
      const { handleRequest, sentHeader } = createRequestHandler(endpoint, opened, serviceTimeoutMs);
      let handler: AnyHandler;
      if (endpoint.cacheSeconds > 0) {
        const scope = cacheScopeOf(endpoint);
        cacheScopes.add(scope);
        handler = createCachedHandler(endpoint, scope, handleRequest, cache, sentHeader, onCacheOutcome);
      } else {
        handler = createUncachedHandler(endpoint, handleRequest);
        if (isCaching && endpoint.method !== 'get') handler = createInvalidatingHandler(handler, invalidate);
      }
      if (endpoint.service.raw !== undefined) Object.assign(handler, { forwardsTexts: true });
      else if (takesFields(endpoint)) Object.assign(handler, { readsFields: true });
      handlers[endpoint.operationId] = handler;
    }
    return { handlers, cacheScopes, close };
  } catch (error) {
    void close();
    throw error;
  }
}

function createRequestHandler(
  endpoint: Endpoint,
  opened: RawHandler[],
  serviceTimeoutMs: number,
): { readonly handleRequest: RequestHandler; readonly sentHeader?: RawHandler['sentHeader'] } {
  const { service } = endpoint;
  if (service.raw === undefined) {
    const handleRequest = service.replies === undefined ? createServiceHandler(endpoint) : createReplyHandler(endpoint);
    return { handleRequest: withTimeout(handleRequest, serviceTimeoutMs) };
  }
  const handler = openRaw(endpoint, service.raw);
  opened.push(handler);
  const handle = asServiceCode(service, (request: RawRequest, context: Context) => handler.handle(request, context));
  const handleRequest = createRawHandler(handle, endpoint.path);
  return {
    // Upstreams have timeouts of their own.
    handleRequest: service.raw.upstream === undefined ? withTimeout(handleRequest, serviceTimeoutMs) : handleRequest,
    sentHeader: handler.sentHeader?.bind(handler),
  };
}

/** Limits the time until the reply of a service, which for a stream is the time until its first item. */
function withTimeout(handleRequest: RequestHandler, timeoutMs: number): RequestHandler {
  if (timeoutMs === 0) return handleRequest;
  return (request, context, conditions) => {
    const reply = handleRequest(request, context, conditions);
    if (!isPending(reply)) return reply;
    // A raw service reads the body itself, at the pace of the client, which `request_timeout_ms` limits.
    const body = request.body instanceof UnreadBody ? request.body : undefined;
    return withinTime(reply, timeoutMs, context, { body });
  };
}

function createServiceHandler(endpoint: Endpoint): RequestHandler {
  const { service } = endpoint;
  const readInput = createInputReader(endpoint);
  const check = responseCheckOf(service);
  const handle = handlerOf(service);
  const headers = variesByFields(endpoint);
  const replyOf =
    headers === undefined
      ? (response: unknown): Reply => ({ status: 200, body: check(response) })
      : (response: unknown): Reply => ({ status: 200, body: check(response), headers });
  return (request, context) => {
    const read = readInput(request);
    if ('faults' in read) throw createValidationProblem(read.faults);
    const response = handle(read.input, context);
    // A synchronous response needs no promise.
    return isPending(response) ? Promise.resolve(response).then(replyOf) : replyOf(response);
  };
}

/** Returns `handle` of a service, with the functions that create its problems. */
function handlerOf(service: Service): (input: unknown, context: Context) => unknown {
  const { problems } = service;
  if (problems === undefined) {
    return asServiceCode(service, (input: unknown, context: Context) => service.handle(input, context));
  }
  const created = createServiceProblems(problems);
  return asServiceCode(service, (input: unknown, context: Context) => service.handle(input, context, created));
}

/** Returns the handler of a service that chooses between several responses. */
function createReplyHandler(endpoint: Endpoint): RequestHandler {
  const { service } = endpoint;
  const readInput = createInputReader(endpoint);
  const readReply = createReplyReader(service);
  const handle = handlerOf(service);
  const vary = variesByFields(endpoint);
  const run = asServiceCode(service, <T>(code: () => T): T => code()) as <T>(code: () => T) => T;

  function replyOf(returned: unknown, context: Context): Reply | Promise<Reply> {
    const checked = readReply(returned);
    const { status, stream } = checked;
    const headers = vary === undefined ? checked.headers : joinHeaders(checked.headers, vary);
    if (stream === undefined) return { ...checked, ...(headers === undefined ? {} : { headers }) };
    const reply = { status, contentType: stream.contentType, ...(headers === undefined ? {} : { headers }) };
    // An item is only produced for a client that gets it.
    if (context.req.method === 'HEAD') return { ...reply, raw: new ServiceStream(stream, run) };
    const opened = openServiceStream(stream, run, context);
    // Events have no end: their stream no longer belongs to its request once it has begun.
    return opened.then((raw) => (stream.isEvents ? { ...reply, raw, live: { idleMs: 0 } } : { ...reply, raw }));
  }

  return (request, context) => {
    const read = readInput(request);
    if ('faults' in read) throw createValidationProblem(read.faults);
    const returned = handle(read.input, context);
    return isPending(returned)
      ? Promise.resolve(returned).then((late) => replyOf(late, context))
      : replyOf(returned, context);
  };
}

function joinHeaders(headers: CheckedReply['headers'], vary: { readonly Vary: string }): CheckedReply['headers'] {
  const own = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'vary');
  return { ...headers, [own?.[0] ?? 'Vary']: own === undefined ? vary.Vary : `${own[1]}, ${vary.Vary}` };
}

/** Returns the `Vary` of responses that depend on header or cookie parameters; undefined for other endpoints. */
function variesByFields({ arguments: sources }: Endpoint): { readonly Vary: string } | undefined {
  const names = sources.flatMap((argument) =>
    argument.source === 'header' ? [argument.key] : argument.source === 'cookie' ? ['Cookie'] : [],
  );
  return names.length === 0 ? undefined : { Vary: [...new Set(names)].join(', ') };
}

/** @throws ConfigError with the line of the service, or else with the endpoint */
function openRaw(endpoint: Endpoint, raw: NonNullable<Endpoint['service']['raw']>): RawHandler {
  const { service, method, path } = endpoint;
  try {
    const handler: Partial<RawHandler> | undefined = asServiceCode(service, () => raw.open(endpoint))();
    if (typeof handler?.handle !== 'function') throw new Error('it returned no object with a handle function');
    return handler as RawHandler;
  } catch (error) {
    const place = placeInStack(stackOf(error));
    const shown = place && { file: relative('', place.path), line: place.line, column: place.column };
    const detail = `open() of the service "${service.name}" failed for ${method.toUpperCase()} ${path}: ${toError(error).message}`;
    throw new ConfigError([
      shown === undefined ? { where: `service ${service.name}`, field: '', detail } : faultAt(shown, '', detail),
    ]);
  }
}

function createRawHandler(handle: RawHandler['handle'], template: string): RequestHandler {
  const readPath = createPathReader(template);
  return ({ body }, context, conditions) => {
    const { req } = context;
    const pathTexts = readPath(req.url);
    const isRead = body !== undefined && !(body instanceof UnreadBody);
    return handle(
      {
        // Not the validated values: a parsed number may be formatted differently.
        get path() {
          return decodeAll(pathTexts);
        },
        pathTexts,
        query: rawQueryOf(req.url),
        body: isRead ? receivedBytesOf(req) : body,
        conditions,
      },
      context,
    );
  };
}

function decodeAll(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  for (const name in texts) values[name] = decodeURIComponent(texts[name] as string);
  return values;
}

/**
 * Returns the response of a service if it is in time; otherwise rejects, aborts the service's signal, and destroys the stream
 * of a late response. The time begins again whenever bytes of `body` are read. `cause` is logged.
 * @throws Problem `unavailable` (503)
 */
export async function withinTime<T>(
  pending: Promise<T>,
  timeoutMs: number,
  context: Pick<Context, 'abandon'>,
  { cause, body }: { readonly cause?: Error; readonly body?: Pick<UnreadBody, 'readAtMs'> | undefined } = {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const expire = () => {
      const leftMs = (body?.readAtMs ?? Number.NEGATIVE_INFINITY) + timeoutMs - performance.now();
      if (leftMs > 0) {
        timer = setTimeout(expire, leftMs);
        return;
      }
      // Before the signal aborts, which may make the service throw another error.
      reject(new Problem('unavailable', 'The service did not respond in time. Retry later.', { cause }));
      context.abandon();
      pending.then(destroyStream, () => {});
    };
    timer = setTimeout(expire, timeoutMs);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}

function destroyStream(response: unknown): void {
  const { raw } = (response ?? {}) as { readonly raw?: unknown };
  if (raw instanceof Readable) raw.destroy();
}
