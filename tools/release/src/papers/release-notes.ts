import { findRelease } from '../changelog/find-release.ts';

/** What a CHANGELOG says under one of its versions; '' where it says nothing of it. */
export function releaseNotes(changelog: string, version: string): string {
  const release = findRelease(changelog, version);
  return release === undefined ? '' : changelog.slice(release.start, release.end).trim();
}
