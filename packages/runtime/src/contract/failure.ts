import { securityHeaders, securityHeadersOverTls } from '../edge/security-headers.ts';
import { createProblemDocument, Problem, type ProblemCode, problemMediaType } from '../problem/index.ts';

/** The problem to answer an error with: a `Problem` as it is, a parser's by its type, anything else as a 500 without details. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const given = parserProblems.get(String((error as { type?: unknown } | null | undefined)?.type));
  if (given !== undefined) return new Problem(given[0], given[1], { cause: error });
  return new Problem('internal_error', 'Try again later; quote the request id when you report this.', { cause: error });
}

/** Errors of the body parsers of Express, which a host application may have run, by their `type`. */
const parserProblems: ReadonlyMap<string, readonly [ProblemCode, string]> = new Map([
  ['entity.parse.failed', ['malformed_request', 'The body could not be parsed.']],
  ['request.size.invalid', ['malformed_request', 'The body did not have the length that Content-Length announced.']],
  ['parameters.too.many', ['malformed_request', 'The body has too many fields.']],
  ['entity.too.large', ['body_too_large', 'Send a shorter body.']],
  [
    'encoding.unsupported',
    ['encoding_unsupported', 'Send the body plain, or with Content-Encoding gzip, deflate or br.'],
  ],
  ['charset.unsupported', ['media_type_unsupported', 'Send the body in UTF-8.']],
]);

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
