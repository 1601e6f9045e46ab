// Written by tools/contract from packages/runtime/src/problem/problems.ts. Do not edit: run `pnpm generate`.
import { ApiProblem } from './api-problem.gen.ts';

/** The kind of 400. */
export class ValidationError extends ApiProblem {}

/** The kind of 401. */
export class AuthenticationError extends ApiProblem {}

/** The kind of 403. */
export class AuthorizationError extends ApiProblem {}

/** The kind of 404. */
export class NotFoundError extends ApiProblem {}

/** The kind of 405. */
export class MethodNotAllowedError extends ApiProblem {}

/** The kind of 406. */
export class NotAcceptableError extends ApiProblem {}

/** The kind of 408. */
export class RequestTimeoutError extends ApiProblem {}

/** The kind of 409. */
export class ConflictError extends ApiProblem {}

/** The kind of 412. */
export class PreconditionError extends ApiProblem {}

/** The kind of 413. */
export class PayloadTooLargeError extends ApiProblem {}

/** The kind of 414. */
export class UriTooLongError extends ApiProblem {}

/** The kind of 415. */
export class MediaTypeError extends ApiProblem {}

/** The kind of 429. */
export class RateLimitError extends ApiProblem {}

/** The kind of 431. */
export class HeadersTooLargeError extends ApiProblem {}

/** The kind of 500. */
export class InternalError extends ApiProblem {}

/** The kind of 501. */
export class NotImplementedError extends ApiProblem {}

/** The kind of 502 and 504. */
export class UpstreamError extends ApiProblem {}

/** The kind of 503. */
export class UnavailableError extends ApiProblem {}
