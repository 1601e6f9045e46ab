import { boundFaults, faultsMax, shortenText } from './bounded-faults.ts';
import { type ProblemCode, problems } from './problems.ts';

/** One fault of a request: where it is (JSON pointer into the body, parameter or header name) and what is wrong. */
export interface Fault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface ProblemOptions {
  readonly errors?: readonly Fault[];
  /** Response headers that belong to the error, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extension members (RFC 9457 §3.2), written into the body beside the standard ones. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** What happened inside: logged, never sent. */
  readonly cause?: unknown;
}

/**
 * An error whose public text is meant for the caller (RFC 9457). `detail` says what to do next;
 * `cause` keeps what only the log may see.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(shortenText(detail, detailMax), { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors === undefined ? [] : boundFaults(options.errors, this.message);
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
  }

  get status(): number {
    return problems[this.code].status;
  }

  get title(): string {
    return problems[this.code].title;
  }

  get kind(): string {
    return problems[this.code].kind;
  }

  get detail(): string {
    return this.message;
  }
}

/** No detail of ours comes near it; one that quotes an upstream or a caller may. */
const detailMax = 4_000;

/** A 400 that lists the faults of a request, up to 20 of them. */
export function createValidationProblem(errors: readonly Fault[]): Problem {
  const which =
    errors.length >= faultsMax ? `the first ${faultsMax} faults, listed in errors,` : 'what is listed in errors';
  return new Problem('validation_failed', `Correct ${which} and send the request again.`, { errors });
}
