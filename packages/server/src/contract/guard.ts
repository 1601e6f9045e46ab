import { Problem, type ProblemCode } from '../problem/index.ts';
import type { Context, Principal } from './context.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { Route } from './route.ts';

/** Returns null for a request without credentials; throws a 401 `Problem` for wrong ones. */
export type Authenticate<P extends Principal> = (context: Context<P>) => P | null | Promise<P | null>;

/** Counts the request; throws `limit_exceeded` above the limit. */
export interface Limit<P extends Principal> {
  (context: Context<P>): void | Promise<void>;
  /** Counts a wrong credential against its address, on exempt routes too: otherwise guessing would be free there. */
  countAddress?(context: Context<P>): void | Promise<void>;
}

/** Authenticates, counts and authorizes a request. Synchronous where possible: keys and counts in memory need no promise. */
export type Guard<P extends Principal> = (context: Context<P>) => void | Promise<void>;

/** Returns the guard of all requests, which sets their principal. */
export function createGuard<P extends Principal>(
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
    throw withMetadata(error, context.route);
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

/** @throws Problem 401 without a credential where one is needed; 403 without a scope, or for a forbidden operation. */
export function authorize(document: OpenApiDocument, { route, principal }: Pick<Context, 'route' | 'principal'>): void {
  if (principal === null) {
    if (!route.isPublic) throw withMetadata(missingCredential(document, route), route);
    return;
  }
  if (!hasScopes(route, principal)) throw missingScopes(document, route, principal);
  if (isForbidden(route, principal)) throw forbiddenOperation(route);
}

/** Returns whether a caller has the scopes of a route, the grant that it may need, and no ban on its operation. */
export function mayUse(route: Route, principal: Principal): boolean {
  return hasScopes(route, principal) && !isForbidden(route, principal);
}

function hasScopes({ requiredScopes }: Route, { scopes }: Principal): boolean {
  for (let i = 0; i < requiredScopes.length; i++) if (!scopes.includes(requiredScopes[i] as string)) return false;
  return true;
}

function isForbidden({ operationId, operation }: Route, { forbidden, granted }: Principal): boolean {
  if (operation['x-needs-grant'] !== undefined && granted?.has(operationId) !== true) return true;
  return forbidden?.has(operationId) === true;
}

/** Adds to a 401 where a client finds the issuers of tokens (RFC 9728 §5.1). */
function withMetadata(error: unknown, { operation }: Route): unknown {
  const url = operation['x-resource-metadata'];
  if (url === undefined || !(error instanceof Problem) || error.status !== 401) return error;
  const { code, detail, headers, extensions, cause } = error;
  const challenge = headers['WWW-Authenticate'];
  const parameter = `resource_metadata="${url}"`;
  const own =
    challenge === undefined || !challenge.includes(' ') ? `Bearer ${parameter}` : `${challenge}, ${parameter}`;
  return new Problem(code as ProblemCode, detail, {
    headers: { ...headers, 'WWW-Authenticate': own },
    ...{ extensions, cause },
  });
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

function forbiddenOperation({ operationId, operation: { 'x-needs-grant': grant } }: Route): Problem {
  const need = grant === undefined ? '' : `, which needs ${grant}`;
  return new Problem(
    'operation_forbidden',
    `This key does not allow ${operationId}${need}. Ask the operator for one that does.`,
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
