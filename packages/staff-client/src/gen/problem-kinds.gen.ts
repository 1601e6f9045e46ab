// Written by tools/contract from packages/server/src/problem/problems.ts. Do not edit: run `pnpm generate`.
import { ApiProblem } from './api-problem.gen.ts';

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

/** Error of 412. */
export class PreconditionError extends ApiProblem {}

/** Error of 413. */
export class PayloadTooLargeError extends ApiProblem {}

/** Error of 414. */
export class UriTooLongError extends ApiProblem {}

/** Error of 415. */
export class MediaTypeError extends ApiProblem {}

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
