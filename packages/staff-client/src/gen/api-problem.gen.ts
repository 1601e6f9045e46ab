// Written by tools/contract from tools/contract/templates/client/api-problem.ts and packages/server/src/problem/problems.ts. Do not edit: run `pnpm generate`.
/** One fault of a rejected request. */
export interface ApiFault {
  readonly detail: string;
  /** JSON pointer into the body. */
  readonly pointer?: string;
  /** Name of the parameter. */
  readonly parameter?: string;
  /** Name of the header. */
  readonly header?: string;
}

/** The fields of an {@link ApiProblem}. */
export interface ApiProblemFields {
  readonly status: number;
  readonly code: string;
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly errors: readonly ApiFault[];
  readonly body: unknown;
}

/**
 * The error of an error response. Each kind of problem (RFC 9457) has a subclass. A response that is not a problem is an
 * error of the same form. `message` explains what to do next and names the first fault.
 */
export class ApiProblem extends Error {
  /** Status code of the response. 0 when the browser hides it. */
  declare readonly status: number;
  /** The exact cause. Stable. `http_<status>` for a response that is not a problem. */
  declare readonly code: string;
  /** The family of the cause and the name of the class. Stable. */
  declare readonly kind: string;
  declare readonly title: string;
  /** Identifier of the request. Include it in support requests. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before a retry (RFC 9110 §10.2.3), if the server sent `Retry-After`. */
  declare readonly retryAfterSeconds: number | undefined;
  /** All faults of the request. */
  declare readonly errors: readonly ApiFault[];
  /** The whole body, as a JSON value or as text. Some problems have additional members. */
  declare readonly body: unknown;

  constructor(fields: ApiProblemFields, options?: ErrorOptions) {
    super(fields.detail + describeFault(fields.errors[0]), options);
    Object.assign(this, { ...fields, name: fields.kind });
  }
}

/** Returns the place and the description of a fault. */
function describeFault(fault: ApiFault | undefined): string {
  return fault?.detail ? ` (${fault.parameter ?? fault.header ?? fault.pointer ?? 'request'}: ${fault.detail})` : '';
}

/** Error of 400. */
export class ValidationError extends ApiProblem {}

/** Error of 401. */
export class AuthenticationError extends ApiProblem {}

/** Error of 403. */
export class AuthorizationError extends ApiProblem {}

/** Error of 404. */
export class NotFoundError extends ApiProblem {}

/** Error of 405. */
export class MethodNotAllowedError extends ApiProblem {}

/** Error of 406. */
export class NotAcceptableError extends ApiProblem {}

/** Error of 408. */
export class RequestTimeoutError extends ApiProblem {}

/** Error of 409. */
export class ConflictError extends ApiProblem {}

/** Error of 410. */
export class GoneError extends ApiProblem {}

/** Error of 412. */
export class PreconditionError extends ApiProblem {}

/** Error of 413. */
export class PayloadTooLargeError extends ApiProblem {}

/** Error of 414. */
export class UriTooLongError extends ApiProblem {}

/** Error of 415. */
export class MediaTypeError extends ApiProblem {}

/** Error of 424. */
export class DependencyError extends ApiProblem {}

/** Error of 426. */
export class UpgradeRequiredError extends ApiProblem {}

/** Error of 429. */
export class RateLimitError extends ApiProblem {}

/** Error of 431. */
export class HeadersTooLargeError extends ApiProblem {}

/** Error of 500. */
export class InternalError extends ApiProblem {}

/** Error of 501. */
export class NotImplementedError extends ApiProblem {}

/** Error of 502 and 504. */
export class UpstreamError extends ApiProblem {}

/** Error of 503. */
export class UnavailableError extends ApiProblem {}
