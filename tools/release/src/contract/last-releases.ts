import { gt, valid } from 'semver';
import type { Git } from '../git.ts';
import { ReleaseFailure } from '../release-failure.ts';

export interface Release {
  /** `@rostergate/staff-spec@0.2.0` */
  readonly tag: string;
  readonly version: string;
}

/** By package: the highest version that is tagged in what led to this commit. Who is not there was never released. */
export type LastReleases = ReadonlyMap<string, Release>;

export function loadLastReleases(git: Git): LastReleases {
  const releases = new Map<string, Release>();
  for (const tag of git.lines('tag', '--list', '--merged', 'HEAD')) {
    const at = tag.lastIndexOf('@');
    const [name, version] = [tag.slice(0, at), tag.slice(at + 1)];
    if (at < 1 || valid(version) === null) continue;
    const before = releases.get(name);
    if (before === undefined || gt(version, before.version)) releases.set(name, { tag, version });
  }
  return releases;
}

/**
 * A shallow clone has no tags: what has been released by its CHANGELOG must have one.
 * @throws ReleaseFailure saying how to fetch them.
 */
export function assertTagsAreThere(git: Git, hasChangelog: boolean): void {
  if (!hasChangelog || git.lines('rev-parse', '--is-shallow-repository')[0] !== 'true') return;
  throw new ReleaseFailure('This clone is shallow and lacks the last release: run git fetch --unshallow --tags.');
}
