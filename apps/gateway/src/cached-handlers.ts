import { createHash } from 'node:crypto';
import {
  type Endpoint,
  type EndpointRequest,
  type Policy,
  type RawHandler,
  type Service,
  takesFields,
} from '@rostergate/endpoints';
import {
  type AnyHandler,
  type Context,
  type HeaderChanges,
  isPending,
  type Principal,
  type Reply,
} from '@rostergate/server';
import {
  type CacheOutcome,
  leavingHeaders,
  normalizeFields,
  type ReplyPolicy,
  type ResponseCache,
  withCacheStatus,
} from '@rostergate/upstream/cache';

/** Handles one request of an endpoint; `conditions` are the cache's conditional headers. */
export type RequestHandler = (
  request: EndpointRequest,
  context: Context,
  conditions: Readonly<Record<string, string>> | undefined,
) => Reply | Promise<Reply>;

/** Returns the handler of an endpoint whose responses are cached. */
export function createCachedHandler(
  endpoint: Endpoint,
  scope: string,
  handleRequest: RequestHandler,
  cache: ResponseCache,
  sentHeader: RawHandler['sentHeader'],
  count: (result: CacheOutcome['result']) => void,
): AnyHandler {
  const { cacheSeconds: secondsMax } = endpoint;
  const policyOf = createPolicies(endpoint);
  const callerOf = createCallerNames(endpoint);
  return async (request: EndpointRequest, context: Context) => {
    const { req, principal } = context;
    let outcome: CacheOutcome = { result: 'bypass', fwd: 'bypass' };
    const uri = uriOf(req.url);
    const spelling = spellingOf(req.url);
    const caller = callerOf(context, request);
    const reply = await cache.answer(
      {
        ...policyOf(principal),
        scope,
        // An upstream may distinguish spellings, so each has its own response.
        caller: spelling === uri ? caller : `${caller}\n${spelling}`,
        uri,
        method: req.method,
        headers: req.headers,
        sent: sentHeader === undefined ? (name) => req.headers[name]?.toString() : (name) => sentHeader(name, req),
        isGone: (error) => context.isClientGone(error),
        hasLeft: () => context.call.aborted,
        hold: () => context.hold(),
        secondsMax,
        onOutcome: (found) => {
          outcome = found;
        },
      },
      (conditions) => handleRequest(request, context, conditions),
    );
    count(outcome.result);
    return withCacheStatus(reply, outcome);
  };
}

/** Returns a function that names everything beside the URI that a response depends on. */
function createCallerNames(endpoint: Endpoint): (context: Context, request: EndpointRequest) => string {
  const isPerKey = dependsOnCaller(endpoint.service);
  const ownerOf = ({ principal }: Context): string =>
    principal === null ? '' : isPerKey ? identityOf(principal) : principal.owner;
  // Policies may send other headers for each request: each variant has its own responses.
  const callerOf =
    endpoint.policies.length === 0
      ? ownerOf
      : (context: Context) => ownerOf(context) + variantOf(context.headerChanges);
  if (!takesFields(endpoint)) return callerOf;
  // `Vary` separates stored responses, but not requests that wait for the same fetch.
  return (context, { header, cookie }) => `${callerOf(context)}\n${JSON.stringify([header, cookie])}`;
}

/** Returns the handler of an endpoint whose responses are not cached; it marks them as private where needed. */
export function createUncachedHandler(endpoint: Endpoint, handleRequest: RequestHandler): AnyHandler {
  const { requiresAuth, service } = endpoint;
  const isForAll = !requiresAuth && !variesByKey(endpoint) && !dependsOnAddress(endpoint);
  const plain = (request: EndpointRequest, context: Context) => handleRequest(request, context, undefined);
  // Only raw services and those with `responses` set caching headers.
  if ((service.raw === undefined && service.replies === undefined) || isForAll) return plain;
  const policyOf = createPolicies(endpoint);
  const leave = (reply: Reply, { principal }: Context): Reply => {
    if (reply.headers === undefined) return reply;
    const headers = normalizeFields(reply.headers);
    if (headers['Cache-Control'] === undefined && headers.Expires === undefined) return reply;
    return { ...reply, headers: leavingHeaders(policyOf(principal), headers, false) };
  };
  return (request: EndpointRequest, context: Context) => {
    const reply = plain(request, context);
    return isPending(reply) ? reply.then((late) => leave(late, context)) : leave(reply, context);
  };
}

/** Removes the cached responses of these URIs. Resolves when no worker uses them; undefined when it is done at once. */
export type Invalidate = (uris: readonly string[]) => Promise<void> | undefined;

/**
 * Returns the handler of an endpoint with an unsafe method: a successful response removes the cached responses of its
 * target URI, and of Location and Content-Location of the same origin (RFC 9111 §4.4).
 */
export function createInvalidatingHandler(handler: AnyHandler, invalidate: Invalidate): AnyHandler {
  const handle = handler as (request: EndpointRequest, context: Context) => Reply | Promise<Reply>;
  const settle = (reply: Reply, { req }: Context): Reply | Promise<Reply> => {
    if (reply.status < 200 || reply.status > 399) return reply;
    const uris = [uriOf(req.url)];
    const headers = normalizeFields(reply.headers);
    for (const name of ['Location', 'Content-Location']) {
      const uri = sameOriginUri(headers[name], req);
      if (uri !== undefined) uris.push(uri);
    }
    return invalidate(uris)?.then(() => reply) ?? reply;
  };
  return (request: EndpointRequest, context: Context) => {
    const reply = handle(request, context);
    return isPending(reply) ? reply.then((late) => settle(late, context)) : settle(reply, context);
  };
}

/**
 * Returns path and query of a request target in one spelling, by which cached responses are removed: `%61` is `a`, and `%c3`
 * is `%C3` (RFC 3986 §6.2.2).
 */
function uriOf(target: string): string {
  const uri = spellingOf(target);
  return uri.includes('%') ? uri.replaceAll(/%[\da-f]{2}/gi, respell) : uri;
}

function respell(encoded: string): string {
  const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
}

/** Returns path and query of a request target, which may be in absolute form (RFC 9112 §3.2.2), as they are written. */
function spellingOf(target: string): string {
  if (target.startsWith('/')) return target;
  const uri = target.replace(/^[^:/?#]+:\/\/[^/?#]*/, '');
  return uri.startsWith('/') ? uri : `/${uri}`;
}

/** Returns path and query of a URI reference; undefined for another origin and for an invalid URI. */
function sameOriginUri(reference: unknown, { url, headers }: Context['req']): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const base = URL.parse(uriOf(url), `http://${headers.host ?? 'localhost'}`);
  const target = base === null ? null : URL.parse(reference, base);
  if (base === null || target === null || target.host !== base.host) return undefined;
  return uriOf(target.pathname + target.search);
}

/** Returns a name for everything that the endpoint's responses depend on: a changed endpoint has another scope. */
export function cacheScopeOf(endpoint: Endpoint): string {
  // Responses do not depend on the accepted keys; a contract and policies are run before the cache is read.
  const { service, operation: _, apiKeys: __, policies: ___, ...described } = endpoint;
  return createHash('sha256')
    .update(`${numberOf(service)} ${JSON.stringify([described, variesByKey(endpoint), dependsOnAddress(endpoint)])}`)
    .digest('base64url');
}

function variantOf(changes: HeaderChanges | undefined): string {
  return changes === undefined ? '' : `\n${JSON.stringify([[...changes.dropped], changes.fields])}`;
}

/** Returns a number for the service object: a reloaded service is another object. */
function numberOf(service: Service): number {
  let number = numbers.get(service);
  if (number === undefined) {
    number = ++lastNumber;
    numbers.set(service, number);
  }
  return number;
}

const numbers = new WeakMap<Service, number>();
let lastNumber = 0;

function dependsOnCaller({ raw }: Service): boolean {
  return raw?.ignoresCaller !== true;
}

/** Returns everything that a service sees of a key or token. There is one principal for each. */
function identityOf(principal: Principal): string {
  let identity = identities.get(principal);
  if (identity === undefined) {
    const { owner, name, scopes, plan } = principal;
    identity = JSON.stringify([owner, name, scopes, plan]);
    identities.set(principal, identity);
  }
  return identity;
}

const identities = new WeakMap<Principal, string>();

/** Whether responses may differ by the caller's key, because the service or a policy sees it. */
function variesByKey({ service, policies }: Endpoint): boolean {
  return (
    dependsOnCaller(service) ||
    policies.some((policy) => policy.type === 'code' || policy.type === 'express' || names(policy, ['owner', 'key']))
  );
}

/** Whether responses are for some addresses only, which a shared cache cannot see in a request. */
function dependsOnAddress({ policies }: Endpoint): boolean {
  return policies.some((policy) => policy.type === 'addresses' || names(policy, ['address']));
}

function names(policy: Policy, placeholders: readonly string[]): boolean {
  if (policy.type !== 'headers') return false;
  return [...policy.request.fields, ...policy.response.fields].some(
    ({ value }) =>
      typeof value !== 'string' &&
      value.some((part) => typeof part !== 'string' && placeholders.includes(part.placeholder)),
  );
}

function createPolicies(endpoint: Endpoint): (principal: Principal | null) => ReplyPolicy {
  const { requiresAuth, service, cacheDefaultSeconds: secondsDefault } = endpoint;
  const variesByCaller = !requiresAuth && variesByKey(endpoint);
  const isPrivate = requiresAuth || dependsOnAddress(endpoint);
  const isOrigin = service.raw === undefined;
  const forAll: ReplyPolicy = { secondsDefault, variesByCaller, isOrigin, isPrivate };
  const forOne: ReplyPolicy = { ...forAll, isPrivate: isPrivate || variesByCaller };
  return (principal) => (principal === null ? forAll : forOne);
}
