/** One fault of a rejected request. */
export interface ApiFault {
  readonly detail: string;
  /** JSON pointer into the body. */
  readonly pointer?: string;
  /** Name of the parameter. */
  readonly parameter?: string;
  /** Name of the header. */
  readonly header?: string;
}

/** The fields of an {@link ApiProblem}. */
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
 * The error of an error response. Each kind of problem (RFC 9457) has a subclass. A response that is not a problem is an
 * error of the same form. `message` explains what to do next and names the first fault.
 */
export class ApiProblem extends Error {
  /** Status code of the response. 0 when the browser hides it. */
  declare readonly status: number;
  /** The exact cause. Stable. `http_<status>` for a response that is not a problem. */
  declare readonly code: string;
  /** The family of the cause and the name of the class. Stable. */
  declare readonly kind: string;
  declare readonly title: string;
  /** Identifier of the request. Include it in support requests. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before a retry (RFC 9110 §10.2.3), if the server sent `Retry-After`. */
  declare readonly retryAfterSeconds: number | undefined;
  /** All faults of the request. */
  declare readonly errors: readonly ApiFault[];
  /** The whole body, as a JSON value or as text. Some problems have additional members. */
  declare readonly body: unknown;

  constructor(fields: ApiProblemFields, options?: ErrorOptions) {
    super(fields.detail + describeFault(fields.errors[0]), options);
    Object.assign(this, { ...fields, name: fields.kind });
  }
}

/** Returns the place and the description of a fault. */
function describeFault(fault: ApiFault | undefined): string {
  return fault?.detail ? ` (${fault.parameter ?? fault.header ?? fault.pointer ?? 'request'}: ${fault.detail})` : '';
}
