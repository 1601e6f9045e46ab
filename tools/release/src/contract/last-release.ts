import { rcompare, valid } from 'semver';
import type { Git } from '../git.ts';
import { ReleaseFailure } from '../release-failure.ts';

export interface Release {
  /** `@rostergate/staff-spec@0.2.0` */
  readonly tag: string;
  readonly version: string;
}

/** The highest version of a package that is tagged in what led to this commit; undefined before the first release. */
export function findLastRelease(git: Git, name: string): Release | undefined {
  const [version] = git
    .lines('tag', '--list', `${name}@*`, '--merged', 'HEAD')
    .map((tag) => tag.slice(name.length + 1))
    .filter((text) => valid(text) !== null)
    .sort(rcompare);
  return version === undefined ? undefined : { tag: `${name}@${version}`, version };
}

/**
 * A shallow clone has no tags: what has been released by its CHANGELOG must have one.
 * @throws ReleaseFailure saying how to fetch them.
 */
export function assertTagsAreThere(git: Git, hasChangelog: boolean): void {
  if (!hasChangelog || git.lines('rev-parse', '--is-shallow-repository')[0] !== 'true') return;
  throw new ReleaseFailure('This clone is shallow and lacks the last release: run git fetch --unshallow --tags.');
}
