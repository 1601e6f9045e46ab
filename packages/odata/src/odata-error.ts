/** Every fault this library reports: code → HTTP status and a fixed title. */
export const odataErrors = {
  syntax: { status: 400, title: 'The query option does not follow the OData grammar' },
  invalid_encoding: { status: 400, title: 'The query is not valid percent-encoded UTF-8' },
  unknown_option: { status: 400, title: 'The system query option does not exist' },
  duplicate_option: { status: 400, title: 'The query option is given twice' },
  unknown_property: { status: 400, title: 'The name does not exist in the model' },
  property_not_allowed: { status: 400, title: 'The property may not be used here' },
  unknown_function: { status: 400, title: 'The function does not exist' },
  unknown_alias: { status: 400, title: 'The parameter alias has no value' },
  unused_alias: { status: 400, title: 'The parameter alias is not used' },
  type_mismatch: { status: 400, title: 'The types of the expression do not fit' },
  value_out_of_range: { status: 400, title: 'The value is outside the range of its type' },
  limit_exceeded: { status: 400, title: 'The query is larger than this service allows' },
  not_supported: { status: 501, title: 'The standard has it, this service does not' },
} as const satisfies Record<string, { status: 400 | 501; title: string }>;

/** What kind of fault it is; `odataErrors` has the status and title of each. */
export type ODataErrorCode = keyof typeof odataErrors;

/** Where a fault is and what would have been right. */
export interface ODataErrorDetails {
  /** UTF-16 offset into the decoded text of `option`, or into the query text where no option is named. */
  readonly offset: number;
  /** What could have stood at the offset, in words for people. */
  readonly expected?: readonly string[];
  /** The option as written, such as `$filter`. */
  readonly option?: string | undefined;
  /** A name of the model close to the unknown one. */
  readonly didYouMean?: string | undefined;
}

// A message quotes what was sent, but fits a line whatever that was.
const longRun = /\S{60,}/g;
const control = /\p{Cc}/gu;

/** A refused query: 400 for the caller's faults, 501 for what the standard has and this library does not. */
export class ODataError extends Error {
  override readonly name = 'ODataError';
  readonly code: ODataErrorCode;
  readonly status: 400 | 501;
  readonly title: string;
  readonly offset: number;
  readonly expected: readonly string[];
  readonly didYouMean: string | undefined;
  /** The query option at fault; set by `parseQueryOptions` and `bind`. */
  option: string | undefined;
  /** Offset into the undecoded query text; set by `parseQueryOptions` when it was given text. */
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
