import { findRelease } from './find-release.ts';

/** Puts a section first under a release of a CHANGELOG; one that is there already stays as it is. */
export function insertSection(changelog: string, version: string, section: string): string {
  const release = findRelease(changelog, version);
  if (release === undefined || section === '') return changelog;
  const { start, end } = release;
  const [sectionHeading = ''] = section.split('\n', 1);
  if (changelog.slice(start, end).includes(`\n${sectionHeading}\n`)) return changelog;
  return `${changelog.slice(0, start)}\n${section}\n${changelog.slice(start)}`;
}
