import { type ProblemCode, type ProblemType, problems } from './problems.ts';

/** One fault of a request: its place (JSON pointer into the body, name of a parameter, header or cookie) and what is wrong. */
export interface Fault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly cookie?: string;
}

export interface ProblemOptions {
  readonly errors?: readonly Fault[];
  /** Response headers that belong to the error, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extension members (RFC 9457 §3.2), written into the body beside the standard ones. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** The internal cause: logged, never sent. */
  readonly cause?: unknown;
}

/** An error with a public text for the client (RFC 9457). `detail` says what to do next; `cause` is only logged. */
export class Problem extends Error {
  readonly code: string;
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;

  readonly #type: Pick<ProblemType, 'status' | 'title' | 'kind'>;

  constructor(type: ProblemCode | ProblemType, detail: string, options: ProblemOptions = {}) {
    super(shortenText(detail, detailMax), { cause: options.cause });
    this.name = 'Problem';
    this.code = typeof type === 'string' ? type : type.code;
    this.#type = typeof type === 'string' ? problems[type] : type;
    this.errors = options.errors === undefined ? [] : boundFaults(options.errors, this.message);
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
  }

  get status(): number {
    return this.#type.status;
  }

  get title(): string {
    return this.#type.title;
  }

  get kind(): string {
    return this.#type.kind;
  }

  get detail(): string {
    return this.message;
  }
}

/** Returns a 400 that lists the faults of a request, up to 20 of them. */
export function createValidationProblem(errors: readonly Fault[]): Problem {
  const which =
    errors.length >= faultsMax ? `the first ${faultsMax} faults, listed in errors,` : 'the faults listed in errors';
  return new Problem('validation_failed', `Correct ${which} and send the request again.`, { errors });
}

/** Returns the 404 of a path that no route has. */
export function createRouteProblem(): Problem {
  return new Problem('route_not_found', 'See /openapi.json for the routes that exist.');
}

/** Returns the problem to respond with: a `Problem` as it is, a parser's error by its type, anything else as a 500. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = parserProblems.get(String((error as { type?: unknown } | null | undefined)?.type));
  if (known !== undefined) return new Problem(known[0], known[1], { cause: error });
  return new Problem('internal_error', 'Try again later; quote the request id when you report this.', { cause: error });
}

/** Errors of Express's body parsers, which a host application may run, by their `type`. */
const parserProblems: ReadonlyMap<string, readonly [ProblemCode, string]> = new Map([
  ['entity.parse.failed', ['malformed_request', 'The body could not be parsed.']],
  ['request.size.invalid', ['malformed_request', 'The length of the body differs from Content-Length.']],
  ['parameters.too.many', ['malformed_request', 'The body has too many fields.']],
  ['entity.too.large', ['body_too_large', 'Send a shorter body.']],
  [
    'encoding.unsupported',
    ['encoding_unsupported', 'Send the body plain, or with Content-Encoding gzip, deflate or br.'],
  ],
  ['charset.unsupported', ['media_type_unsupported', 'Send the body in UTF-8.']],
]);

/** The body of every error response: the members of RFC 9457 §3.1, then our own. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly code: string;
  readonly kind: string;
  readonly request_id: string;
  readonly errors?: readonly Fault[];
  readonly [extension: string]: unknown;
}

export const problemMediaType = 'application/problem+json';

/** Returns the body; `instance` is the path of the request without its query, which may contain secrets. */
export function createProblemDocument(problem: Problem, requestId: string, instance?: string): ProblemDocument {
  return {
    type: `urn:rostergate:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    // A shortened path would name another resource.
    ...(instance === undefined || instance.length > instanceMax ? {} : { instance: toUriPath(instance) }),
    code: problem.code,
    kind: problem.kind,
    request_id: requestId,
    ...(problem.errors.length === 0 ? {} : { errors: problem.errors }),
    ...problem.extensions,
  };
}

/** Percent-encodes what RFC 3986 §3.3 does not allow in a path. */
function toUriPath(path: string): string {
  return path.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/@!$&'()*+,;=%]/g, encodeURIComponent);
}

/** The most faults in a response; code that finds faults stops when the list is full. */
export const faultsMax = 20;

// These bound a problem document to 16 KiB. Percent-encoding makes three bytes of each byte of a path.
const detailMax = 4_000;
const instanceMax = 500;
const textBytesMax = 13 * 1024;
const textMax = 500;

/** Returns the first faults, with long texts shortened, within the size of a problem document. */
function boundFaults(faults: readonly Fault[], detail: string): readonly Fault[] {
  const bounded: Fault[] = [];
  let bytes = Buffer.byteLength(JSON.stringify(detail));
  for (let i = 0; i < faults.length && i < faultsMax; i++) {
    const fault = shorten(faults[i] as Fault);
    bytes += Buffer.byteLength(JSON.stringify(fault)) + 1;
    if (bytes > textBytesMax) break;
    bounded.push(fault);
  }
  return bounded;
}

function shorten(fault: Fault): Fault {
  const entries = Object.entries(fault) as [string, unknown][];
  if (!entries.some(([, value]) => typeof value === 'string' && value.length > textMax)) return fault;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? shortenText(value, textMax) : value]),
  ) as unknown as Fault;
}

/** Returns the text, cut to a length and marked with an ellipsis where it is longer. */
function shortenText(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`;
}
