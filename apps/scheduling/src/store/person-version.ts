/** The columns that identify a version of a person. */
export interface PersonVersion {
  /** From 1; every change of the person, and of what hangs on the person, adds one. */
  readonly revision: number;
  /** `LastModifiedDateUtc` as stored; every change makes it later. */
  readonly modified: string;
}

/**
 * Returns the opaque part of the version's entity tag. The revision alone is not unique: after a backup is restored,
 * new changes get the revisions of the lost ones.
 */
export function versionTag({ revision, modified }: PersonVersion): string {
  return `${revision}-${Date.parse(`${modified}Z`).toString(36)}`;
}
