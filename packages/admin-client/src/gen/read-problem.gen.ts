// Written by tools/contract from tools/contract/templates/client/read-problem.ts and packages/server/src/problem/problems.ts. Do not edit: run `pnpm generate`.
import { type ApiFault, ApiProblem, ValidationError, AuthenticationError, AuthorizationError, NotFoundError, MethodNotAllowedError, NotAcceptableError, RequestTimeoutError, ConflictError, GoneError, PreconditionError, PayloadTooLargeError, UriTooLongError, MediaTypeError, DependencyError, UpgradeRequiredError, RateLimitError, HeadersTooLargeError, InternalError, NotImplementedError, UpstreamError, UnavailableError, type ApiProblemFields } from './api-problem.gen.ts';

/** The kind and error class of each status, from the error table. */
export const kinds: readonly (readonly [status: number, kind: string, constructor: typeof ApiProblem])[] = [
  [400, 'ValidationError', ValidationError],
  [401, 'AuthenticationError', AuthenticationError],
  [403, 'AuthorizationError', AuthorizationError],
  [404, 'NotFoundError', NotFoundError],
  [405, 'MethodNotAllowedError', MethodNotAllowedError],
  [406, 'NotAcceptableError', NotAcceptableError],
  [408, 'RequestTimeoutError', RequestTimeoutError],
  [409, 'ConflictError', ConflictError],
  [410, 'GoneError', GoneError],
  [412, 'PreconditionError', PreconditionError],
  [413, 'PayloadTooLargeError', PayloadTooLargeError],
  [414, 'UriTooLongError', UriTooLongError],
  [415, 'MediaTypeError', MediaTypeError],
  [424, 'DependencyError', DependencyError],
  [426, 'UpgradeRequiredError', UpgradeRequiredError],
  [429, 'RateLimitError', RateLimitError],
  [431, 'HeadersTooLargeError', HeadersTooLargeError],
  [500, 'InternalError', InternalError],
  [501, 'NotImplementedError', NotImplementedError],
  [502, 'UpstreamError', UpstreamError],
  [503, 'UnavailableError', UnavailableError],
  [504, 'UpstreamError', UpstreamError],
];

/**
 * Returns the error of a response, from its problem body or else from its status and headers.
 * @param given members that override those of the body
 */
export function readProblem(response: Response, body: unknown, given?: object, cause?: unknown): ApiProblem {
  const { status, headers } = response;
  const problem: Partial<Record<string, unknown>> = { ...(typeof body === 'object' ? body : undefined), ...given };
  const [, kind = 'ApiProblem', Kind = ApiProblem] = kinds.find(([code]) => code === status) ?? [];
  const fields: ApiProblemFields = {
    status,
    code: `${problem.code || `http_${status}`}`,
    kind: `${problem.kind || kind}`,
    title: `${problem.title || response.statusText}`,
    detail: `${problem.detail || describe(response)}`,
    requestId: (problem.request_id as string | undefined) ?? headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers),
    errors: Array.isArray(problem.errors) ? (problem.errors as readonly ApiFault[]) : [],
    body,
  };
  return new Kind(fields, { cause });
}

/** Returns the error of a successful response that cannot be read, such as a page of a proxy or a truncated body. */
export function unreadableResponse(response: Response, body: unknown, cause?: unknown): ApiProblem {
  const detail = `The contract does not declare a response of type ${response.headers.get('Content-Type')}: check baseUrl.`;
  return readProblem(response, body, { code: 'answer_unreadable', title: 'Unreadable response', detail }, cause);
}

/** Describes a response without a problem body. Browsers hide the status and the target of a redirect. */
function describe({ status, headers }: Response): string {
  return status < 400
    ? `The server redirects to ${headers.get('Location') ?? 'another address'}: check baseUrl.`
    : `The server returned ${status} without a reason.`;
}

/**
 * Returns the seconds of `Retry-After` (RFC 9110 §10.2.3). A date is relative to the `Date` of the response, because
 * clocks can differ.
 */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  const now = Date.parse(headers.get('Date') ?? '') || Date.now();
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  return seconds > 0 ? seconds : undefined;
}
