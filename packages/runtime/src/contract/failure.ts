import { securityHeaders, securityHeadersOverTls } from '../edge/security-headers.ts';
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

/** An error answer where there is no request to be answered, only a connection. */
export function createErrorAnswer(problem: Problem, requestId: string, isEncrypted = false): ErrorAnswer {
  const body = JSON.stringify(createProblemDocument(problem, requestId));
  return {
    status: problem.status,
    headers: {
      ...problem.headers,
      Date: new Date().toUTCString(),
      'Content-Type': problemMediaType,
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': requestId,
      ...(isEncrypted ? securityHeadersOverTls : securityHeaders),
    },
    body,
  };
}
