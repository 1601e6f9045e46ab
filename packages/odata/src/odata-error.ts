/** All error codes, each with its HTTP status and title. */
export const odataErrors = {
  syntax: { status: 400, title: 'The query option does not follow the OData grammar' },
  invalid_encoding: { status: 400, title: 'The query is not valid percent-encoded UTF-8' },
  unknown_option: { status: 400, title: 'The system query option does not exist' },
  duplicate_option: { status: 400, title: 'The query option is given twice' },
  unknown_property: { status: 400, title: 'The name does not exist in the model' },
  property_not_allowed: { status: 400, title: 'The property cannot be used here' },
  unknown_function: { status: 400, title: 'The function does not exist' },
  unknown_alias: { status: 400, title: 'The parameter alias has no value' },
  unused_alias: { status: 400, title: 'The parameter alias is not used' },
  type_mismatch: { status: 400, title: 'The types of the expression do not match' },
  value_out_of_range: { status: 400, title: 'The value is outside the range of its type' },
  limit_exceeded: { status: 400, title: 'The query is larger than this service allows' },
  not_supported: { status: 501, title: 'The service does not support this part of the standard' },
} as const satisfies Record<string, { status: 400 | 501; title: string }>;

/** Code of an error. `odataErrors` has the status and title of each code. */
export type ODataErrorCode = keyof typeof odataErrors;

/** The location of an error, and how to fix it. */
export interface ODataErrorDetails {
  /** UTF-16 offset into the decoded text of `option`, or into the query when there is no option. */
  readonly offset: number;
  /** Descriptions of the syntax that is valid at the offset. */
  readonly expected?: readonly string[];
  /** The option as sent, such as `$filter`. */
  readonly option?: string | undefined;
  /** A known name that is similar to the unknown one. */
  readonly didYouMean?: string | undefined;
}

// Messages quote the query, so long runs are cut and control characters replaced.
const longRun = /\S{60,}/g;
const control = /\p{Cc}/gu;

/** The error of a rejected query: 400 for an invalid query, 501 for a part of the standard that is not supported. */
export class ODataError extends Error {
  override readonly name = 'ODataError';
  readonly code: ODataErrorCode;
  readonly status: 400 | 501;
  readonly title: string;
  readonly offset: number;
  readonly expected: readonly string[];
  readonly didYouMean: string | undefined;
  /** The invalid query option. Set by `parseQueryOptions` and `bind`. */
  option: string | undefined;
  /** Offset into the undecoded query. Set by `parseQueryOptions` when the query is text. */
  queryOffset: number | undefined;

  constructor(code: ODataErrorCode, message: string, details: ODataErrorDetails) {
    super(
      message.replace(longRun, (run) => `${run.slice(0, 57)}…${/[.:,]$/.exec(run)?.[0] ?? ''}`).replace(control, ' '),
    );
    this.code = code;
    this.status = odataErrors[code].status;
    this.title = odataErrors[code].title;
    this.offset = details.offset;
    this.expected = details.expected ?? [];
    this.option = details.option;
    this.didYouMean = details.didYouMean;
    this.queryOffset = undefined;
  }
}
