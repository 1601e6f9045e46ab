// Written by tools/contract from tools/contract/templates/client/api-problem.ts. Do not edit: run `pnpm generate`.
/** One fault of a refused request: where it is, and what is wrong. */
export interface ApiFault {
  readonly detail: string;
  /** JSON pointer into the body. */
  readonly pointer?: string;
  /** Name of the parameter. */
  readonly parameter?: string;
  /** Name of the header. */
  readonly header?: string;
}

/** What an {@link ApiProblem} is made of. */
export interface ApiProblemFields {
  readonly status: number;
  readonly code: string;
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly errors: readonly ApiFault[];
  readonly body: unknown;
}

/**
 * The server refused a request or could not answer it. Every error answer becomes one of these, whether it was a problem
 * (RFC 9457) or not; the subclasses stand for the kinds of problem. `message` says what to do next.
 */
export class ApiProblem extends Error {
  /** Status code of the answer; 0 where the browser hides it. */
  declare readonly status: number;
  /** The exact cause, stable. `http_<status>` where the answer was no problem. */
  declare readonly code: string;
  /** The family of the cause, stable; also the name of the class. */
  declare readonly kind: string;
  declare readonly title: string;
  /** Quote it when asking the operator for help. */
  declare readonly requestId: string | undefined;
  /** How long to wait before the next try (RFC 9110 §10.2.3), where the server says so. */
  declare readonly retryAfterSeconds: number | undefined;
  /** Every fault that the server found. */
  declare readonly errors: readonly ApiFault[];
  /** The whole body, for members that only some problems have: JSON as a value, anything else as text. */
  declare readonly body: unknown;

  constructor(fields: ApiProblemFields, options?: ErrorOptions) {
    super(fields.detail, options);
    Object.assign(this, { ...fields, name: fields.kind });
  }
}
