import { relative } from 'node:path';
import {
  answerCheckOf,
  createInputReader,
  type Endpoint,
  type EndpointRequest,
  type RawHandler,
  type RawRequest,
} from '@rostergate/endpoints';
import { type ResponseCache, toPrivateCacheControl } from '@rostergate/runtime/cache';
import { ConfigError, faultAt } from '@rostergate/runtime/config';
import {
  type AnyHandler,
  bytesOfBody,
  type Context,
  isPending,
  type Reply,
  UnreadBody,
} from '@rostergate/runtime/contract';
import { toError } from '@rostergate/runtime/lifecycle';
import { createValidationProblem } from '@rostergate/runtime/problem';
import type { Steps } from '@rostergate/runtime/steps';
import { rawQueryOf } from '@rostergate/runtime/upstream';
import { createCheckedBytes } from './checked-bytes.ts';
import { asServiceCode, stackOf } from './sources/service-origin.ts';
import { placeInStack } from './sources/versioned-url.ts';
import { withinTime } from './within-time.ts';

/** What answers the configured endpoints of one configuration. */
export interface EndpointHandlers {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** The configuration is about to go: what its services hold is given back. */
  close(): void;
}

/** Answers one request of an endpoint; `conditions` are a cache's. */
type AnswerRequest = (
  request: EndpointRequest,
  context: Context,
  conditions: Readonly<Record<string, string>> | undefined,
) => Reply | Promise<Reply>;

/** Makes the handlers, one by one; answers of endpoints with `cache_seconds` are kept in the cache of their configuration. */
export function* createEndpointHandlersSteps(
  endpoints: readonly Endpoint[],
  cache: ResponseCache,
  serviceTimeoutMs: number,
): Steps<EndpointHandlers> {
  const opened: RawHandler[] = [];
  const handlers: Record<string, AnyHandler> = {};
  const close = () => {
    for (const handler of opened) {
      try {
        handler.close?.();
      } catch (error) {
        // Logged as a rejection that nothing handles: the others are closed all the same.
        void Promise.reject(error);
      }
    }
  };
  try {
    for (const endpoint of endpoints) {
      yield;
      const answer = createAnswer(endpoint, opened, serviceTimeoutMs);
      handlers[endpoint.operationId] =
        endpoint.cacheSeconds > 0
          ? createCachedHandler(endpoint, answer, cache)
          : createUncachedHandler(endpoint, answer);
    }
    return { handlers, close };
  } catch (error) {
    close();
    throw error;
  }
}

function createAnswer(endpoint: Endpoint, opened: RawHandler[], serviceTimeoutMs: number): AnswerRequest {
  const { service } = endpoint;
  if (service.raw !== undefined) {
    const handler = openRaw(endpoint, service.raw);
    opened.push(handler);
    const handle = asServiceCode(service, (request: RawRequest, context: Context) => handler.handle(request, context));
    return createRawAnswer(handle);
  }
  const readInput = createInputReader(endpoint);
  const check = answerCheckOf(service);
  const handle = asServiceCode(service, (input: unknown, context: Context) => service.handle(input, context));
  const replyOf = (answer: unknown): Reply => ({ status: 200, body: check(answer) });
  return (request, context) => {
    const read = readInput(request);
    if ('faults' in read) throw createValidationProblem(read.faults);
    const answer = handle(read.input, context);
    // What is known at once is answered at once, without a promise.
    if (!isPending(answer)) return replyOf(answer);
    return (serviceTimeoutMs > 0 ? withinTime(answer, serviceTimeoutMs, context) : Promise.resolve(answer)).then(
      replyOf,
    );
  };
}

/** @throws ConfigError that names the line of the service, or else the endpoint */
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

function createRawAnswer(handle: RawHandler['handle']): AnswerRequest {
  return ({ path, body }, context, conditions) => {
    const { req } = context;
    const read = body === undefined || body instanceof UnreadBody ? undefined : bytesOfBody(req);
    const checked = read && createCheckedBytes(read, req.headers['content-type']);
    return handle(
      {
        path: path as Readonly<Record<string, string>>,
        query: rawQueryOf(req.url),
        body: checked?.bytes ?? (body as UnreadBody | undefined),
        mediaType: checked?.mediaType,
        conditions,
      },
      context,
    );
  };
}

function createUncachedHandler({ requiresAuth, service }: Endpoint, answer: AnswerRequest): AnyHandler {
  if (service.raw === undefined || !requiresAuth) {
    return (request: EndpointRequest, context: Context) => answer(request, context, undefined);
  }
  return (request: EndpointRequest, context: Context) => {
    const reply = answer(request, context, undefined);
    return isPending(reply) ? reply.then(privately) : privately(reply);
  };
}

/** What was given for a key must not be given on by a cache between here and the caller. */
function privately(reply: Reply): Reply {
  const { headers } = reply;
  const said = headers?.['Cache-Control'] ?? (headers?.Expires === undefined ? undefined : '');
  if (said === undefined) return reply;
  return { ...reply, headers: { ...headers, 'Cache-Control': toPrivateCacheControl(String(said)) } };
}

function createCachedHandler(endpoint: Endpoint, answer: AnswerRequest, cache: ResponseCache): AnyHandler {
  const { operationId, cacheSeconds, requiresAuth, service } = endpoint;
  return (request: EndpointRequest, context: Context) => {
    const { req, principal } = context;
    // An upstream is never told who calls; a service here is, by the name of the key.
    const caller =
      principal === null ? '' : service.raw === undefined ? `${principal.owner}\n${principal.name}` : principal.owner;
    return cache.answer(
      {
        key: `${operationId}\n${caller}\n${req.url}`,
        method: req.method,
        headers: req.headers,
        isGone: (error) => context.isCallerGone(error),
        secondsMax: cacheSeconds,
        isPrivate: requiresAuth,
      },
      (conditions) => answer(request, context, conditions),
    );
  };
}
