import { type ApiFault, ApiProblem, type ApiProblemFields } from './api-problem.ts';
import { classByKind, kindByStatus } from './problem-lookup.ts';

/** The error that an answer stands for: from its problem body where it has one, else from its status and headers. */
export function readProblem(response: Response, body: unknown): ApiProblem {
  const { status, statusText, headers } = response;
  const problem: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const kind = text(problem.kind) ?? kindByStatus.get(status) ?? 'ApiProblem';
  const fields: ApiProblemFields = {
    status,
    code: text(problem.code) ?? `http_${status}`,
    kind,
    title: text(problem.title) ?? statusText,
    detail: text(problem.detail) ?? describe(response),
    requestId: text(problem.request_id) ?? headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers),
    errors: Array.isArray(problem.errors) ? (problem.errors as readonly ApiFault[]) : [],
    body,
  };
  return new (classByKind.get(kind) ?? ApiProblem)(fields);
}

/** The error of an answer that should have been good and could not be read: a proxy's page, a cut-off body. */
export function unreadableAnswer(response: Response, body: unknown, cause?: unknown): ApiProblem {
  const { status, headers } = response;
  return new ApiProblem(
    {
      status,
      code: 'answer_unreadable',
      kind: 'ApiProblem',
      title: 'The answer could not be read',
      detail: `The answer (${status}, ${headers.get('Content-Type') ?? 'no media type'}) is not what the contract says: check baseUrl and what stands between.`,
      requestId: headers.get('X-Request-Id') ?? undefined,
      retryAfterSeconds: undefined,
      errors: [],
      body,
    },
    { cause },
  );
}

function describe({ status, headers, type }: Response): string {
  if (type === 'opaqueredirect') return 'The server redirects, and keys do not follow: set baseUrl to where it leads.';
  const location = headers.get('Location');
  if (status >= 300 && status < 400 && location !== null) {
    return `The server redirects to ${location}, and keys do not follow: set baseUrl to it.`;
  }
  return `The server answered ${status} and did not say why.`;
}

/** Seconds, or a date (RFC 9110 §10.2.3) measured from the answer's own, so that the clocks need not agree. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.get('Date') ?? new Date().toUTCString())) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
