/** Whose data a request may read: every query has these conditions before any filter of the caller. */
export interface Scope {
  readonly companyKey: string;
  /** Non-admins see no tags, skills or profiles. */
  readonly isAdmin: boolean;
}

/** Who writes, and in which request, for the audit. */
export interface WriteScope extends Scope {
  readonly account: string;
  readonly requestId: string;
  readonly operation: string;
  /**
   * The versions that the caller accepts, `*` for any; the person must have one of them, or the write is rejected with
   * 412. The strings are the opaque parts of If-Match's strong entity tags; an empty list matches nothing. Undefined:
   * no condition.
   */
  readonly ifMatch?: readonly string[] | '*' | undefined;
}
