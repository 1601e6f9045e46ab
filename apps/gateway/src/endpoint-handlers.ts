import { answerCheckOf, createInputReader, type Endpoint, type RawHandler } from '@rostergate/endpoints';
import type { ResponseCache } from '@rostergate/runtime/cache';
import { type AnyHandler, bytesOfBody, isPending, type Reply, UnreadBody } from '@rostergate/runtime/contract';
import { createValidationProblem } from '@rostergate/runtime/problem';
import type { Steps } from '@rostergate/runtime/steps';
import { rawQueryOf } from '@rostergate/runtime/upstream';
import {
  type AnswerRequest,
  cacheScopeOf,
  createCachedHandler,
  createInvalidatingHandler,
  createUncachedHandler,
} from './cached-handlers.ts';
import { createCheckedBytes } from './checked-bytes.ts';
import { withinTime } from './within-time.ts';

/** What answers the configured endpoints of one configuration. */
export interface EndpointHandlers {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Names under which the cache stores responses of these endpoints. */
  readonly cacheScopes: ReadonlySet<string>;
  /** The configuration is about to go: what its services hold is given back. */
  close(): void;
}

/** Makes the handlers, one by one; responses of endpoints with `cache_seconds` are stored in the cache. */
export function* createEndpointHandlersSteps(
  endpoints: readonly Endpoint[],
  cache: ResponseCache,
  serviceTimeoutMs: number,
): Steps<EndpointHandlers> {
  const opened: RawHandler[] = [];
  const handlers: Record<string, AnyHandler> = {};
  const close = () => {
    for (const handler of opened) handler.close?.();
  };
  const isCaching = endpoints.some(({ cacheSeconds }) => cacheSeconds > 0);
  const cacheScopes = new Set<string>();
  try {
    for (const endpoint of endpoints) {
      yield;
      const { answer, sentHeader } = createAnswer(endpoint, opened, serviceTimeoutMs);
      if (endpoint.cacheSeconds > 0) {
        const scope = cacheScopeOf(endpoint);
        cacheScopes.add(scope);
        handlers[endpoint.operationId] = createCachedHandler(endpoint, scope, answer, cache, sentHeader);
        continue;
      }
      const handler = createUncachedHandler(endpoint, answer);
      const isInvalidating = isCaching && endpoint.method !== 'get';
      handlers[endpoint.operationId] = isInvalidating ? createInvalidatingHandler(handler, cache) : handler;
    }
    return { handlers, cacheScopes, close };
  } catch (error) {
    close();
    throw error;
  }
}

function createAnswer(
  endpoint: Endpoint,
  opened: RawHandler[],
  serviceTimeoutMs: number,
): { readonly answer: AnswerRequest; readonly sentHeader?: RawHandler['sentHeader'] } {
  const { service } = endpoint;
  if (service.raw === undefined) return { answer: createServiceAnswer(endpoint, serviceTimeoutMs) };
  const handler = service.raw.open(endpoint);
  opened.push(handler);
  return { answer: createRawAnswer(handler), sentHeader: handler.sentHeader?.bind(handler) };
}

function createServiceAnswer(endpoint: Endpoint, serviceTimeoutMs: number): AnswerRequest {
  const { service } = endpoint;
  const readInput = createInputReader(endpoint);
  const check = answerCheckOf(service);
  const replyOf = (answer: unknown): Reply => ({ status: 200, body: check(answer) });
  return (request, context) => {
    const read = readInput(request);
    if ('faults' in read) throw createValidationProblem(read.faults);
    const answer = service.handle(read.input, context);
    // What is known at once is answered at once, without a promise.
    if (!isPending(answer)) return replyOf(answer);
    return (serviceTimeoutMs > 0 ? withinTime(answer, serviceTimeoutMs, context) : Promise.resolve(answer)).then(
      replyOf,
    );
  };
}

function createRawAnswer(handler: RawHandler): AnswerRequest {
  return ({ path, body }, context, conditions) => {
    const { req } = context;
    const read = body === undefined || body instanceof UnreadBody ? undefined : bytesOfBody(req);
    const checked = read && createCheckedBytes(read, req.headers['content-type']);
    return handler.handle(
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
