/** Who asks: every query holds these before anything that the caller says. */
export interface Scope {
  readonly companyKey: string;
  /** Others see no tags, skills or profiles. */
  readonly isAdmin: boolean;
}

/** Who writes, for the audit: which request of whom. */
export interface WriteScope extends Scope {
  readonly account: string;
  readonly requestId: string;
  readonly operation: string;
  /**
   * The versions that the caller expects, of which the person must have one, or `*` for any: else 412. They are the
   * opaque parts of If-Match's strong entity tags; a list without any matches nothing. Undefined: whatever the version.
   */
  readonly ifMatch?: readonly string[] | '*' | undefined;
}
