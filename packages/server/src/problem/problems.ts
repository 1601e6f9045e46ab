/** The error table: code → status, title and the contract's kind. `docs/errors.md` is generated from it. */
export const problems = {
  malformed_request: { status: 400, kind: 'ValidationError', title: 'The request could not be parsed' },
  validation_failed: { status: 400, kind: 'ValidationError', title: 'Request validation failed' },
  odata_invalid: { status: 400, kind: 'ValidationError', title: 'The OData query is not valid' },
  query_too_costly: { status: 400, kind: 'ValidationError', title: 'The query takes too long' },
  batch_too_large: { status: 400, kind: 'ValidationError', title: 'The responses of the batch are too large' },
  export_too_large: { status: 400, kind: 'ValidationError', title: 'The export is too large' },
  key_missing: { status: 401, kind: 'AuthenticationError', title: 'A key is needed' },
  key_invalid: { status: 401, kind: 'AuthenticationError', title: 'The key is not valid' },
  key_expired: { status: 401, kind: 'AuthenticationError', title: 'The key has expired' },
  key_revoked: { status: 401, kind: 'AuthenticationError', title: 'The key has been revoked' },
  key_repeated: { status: 401, kind: 'AuthenticationError', title: 'More than one key was sent' },
  token_missing: { status: 401, kind: 'AuthenticationError', title: 'A bearer token is needed' },
  token_invalid: { status: 401, kind: 'AuthenticationError', title: 'The bearer token is not valid' },
  token_expired: { status: 401, kind: 'AuthenticationError', title: 'The bearer token has expired' },
  login_failed: { status: 401, kind: 'AuthenticationError', title: 'The login failed' },
  scope_missing: { status: 403, kind: 'AuthorizationError', title: 'A scope is missing' },
  company_forbidden: { status: 403, kind: 'AuthorizationError', title: 'The company is not accessible' },
  address_denied: { status: 403, kind: 'AuthorizationError', title: 'The address is not allowed' },
  operation_forbidden: { status: 403, kind: 'AuthorizationError', title: 'The operation is not allowed' },
  origin_forbidden: { status: 403, kind: 'AuthorizationError', title: 'The origin is not allowed' },
  scope_unknown: { status: 403, kind: 'AuthorizationError', title: 'The scope is not known' },
  plan_unknown: { status: 403, kind: 'AuthorizationError', title: 'The plan is not known' },
  not_found: { status: 404, kind: 'NotFoundError', title: 'The resource does not exist' },
  route_not_found: { status: 404, kind: 'NotFoundError', title: 'The route does not exist' },
  symbol_not_found: { status: 404, kind: 'NotFoundError', title: 'The symbol does not exist' },
  method_not_allowed: { status: 405, kind: 'MethodNotAllowedError', title: 'The method is not allowed for this path' },
  not_acceptable: { status: 406, kind: 'NotAcceptableError', title: 'No acceptable response format' },
  request_timeout: { status: 408, kind: 'RequestTimeoutError', title: 'The request took too long to arrive' },
  conflict: { status: 409, kind: 'ConflictError', title: 'The request conflicts with what is stored' },
  changes_gone: { status: 410, kind: 'GoneError', title: 'The changes are no longer stored' },
  precondition_failed: { status: 412, kind: 'PreconditionError', title: 'The resource has changed meanwhile' },
  body_too_large: { status: 413, kind: 'PayloadTooLargeError', title: 'The body is too large' },
  uri_too_long: { status: 414, kind: 'UriTooLongError', title: 'The address is too long' },
  media_type_unsupported: { status: 415, kind: 'MediaTypeError', title: 'The media type is not supported' },
  encoding_unsupported: { status: 415, kind: 'MediaTypeError', title: 'The content encoding is not supported' },
  dependency_failed: { status: 424, kind: 'DependencyError', title: 'A request that this one depends on has failed' },
  upgrade_required: { status: 426, kind: 'UpgradeRequiredError', title: 'The endpoint accepts WebSockets only' },
  limit_exceeded: { status: 429, kind: 'RateLimitError', title: 'Too many requests' },
  headers_too_large: { status: 431, kind: 'HeadersTooLargeError', title: 'The header fields are too large' },
  internal_error: { status: 500, kind: 'InternalError', title: 'The server failed' },
  not_implemented: { status: 501, kind: 'NotImplementedError', title: 'Not implemented' },
  odata_unsupported: { status: 501, kind: 'NotImplementedError', title: 'That part of OData is not supported' },
  upstream_failed: { status: 502, kind: 'UpstreamError', title: 'The upstream failed' },
  unavailable: { status: 503, kind: 'UnavailableError', title: 'The service is not available now' },
  not_cached: { status: 504, kind: 'UpstreamError', title: 'No cached response fits the request' },
  upstream_timeout: { status: 504, kind: 'UpstreamError', title: 'The upstream did not answer in time' },
} as const satisfies Record<string, ProblemDefinition>;

/** A problem that is not in the table, such as one that a service declares. */
export interface ProblemType extends ProblemDefinition {
  readonly code: string;
}

interface ProblemDefinition {
  readonly status: number;
  readonly kind: string;
  readonly title: string;
}

export type ProblemCode = keyof typeof problems;

/** Returns the family of the problems with this status. */
export function kindOfStatus(status: number): string {
  const known: readonly ProblemDefinition[] = Object.values(problems);
  return known.find((problem) => problem.status === status)?.kind ?? 'ServiceError';
}
