import { createProblemDocument, Problem, problemMediaType } from '../problem/index.ts';

/** What the caller is told of an error: a `Problem` as it is, anything else as a 500 without details. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('internal_error', 'Try again later; quote the request id when you report this.', { cause: error });
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The one place that makes an error body. */
export function createErrorAnswer(problem: Problem, requestId: string, instance?: string): ErrorAnswer {
  const body = JSON.stringify(createProblemDocument(problem, requestId, instance));
  return {
    status: problem.status,
    headers: {
      ...problem.headers,
      'Content-Type': problemMediaType,
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': requestId,
      ...securityHeaders,
    },
    body,
  };
}

/** On every answer: nothing is sniffed, framed or cached unless a handler says otherwise. */
export const securityHeaders = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
});
