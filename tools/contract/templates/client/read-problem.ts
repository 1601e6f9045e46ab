import { type ApiFault, ApiProblem, type ApiProblemFields } from './api-problem.ts';
import { kinds } from './problem-lookup.ts';

/**
 * The error that an answer stands for: from its problem body where it has one, else from its status and headers.
 * @param given what is known better than from the body
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

/** The error of an answer that should have been good and could not be read: a proxy's page, a cut-off body. */
export function unreadableAnswer(response: Response, body: unknown, cause?: unknown): ApiProblem {
  const detail = `${response.headers.get('Content-Type')} is not what the contract says: check baseUrl.`;
  return readProblem(response, body, { code: 'answer_unreadable', title: 'Unreadable answer', detail }, cause);
}

/** A browser hides the status of a redirect, and where it leads. Keys do not follow. */
function describe({ status, headers }: Response): string {
  return status < 400
    ? `The server redirects to ${headers.get('Location') ?? 'elsewhere'}: check baseUrl.`
    : `The server answered ${status} and did not say why.`;
}

/** Seconds, or a date (RFC 9110 §10.2.3) measured from the answer's own, so that the clocks need not agree. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  const now = Date.parse(headers.get('Date') ?? '') || Date.now();
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  return seconds > 0 ? seconds : undefined;
}
