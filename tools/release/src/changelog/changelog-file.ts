/** Inserts a section first under a release of a CHANGELOG; an existing section stays unchanged. */
export function insertSection(changelog: string, version: string, section: string): string {
  const release = findRelease(changelog, version);
  if (release === undefined || section === '') return changelog;
  const { start, end } = release;
  const [sectionHeading = ''] = section.split('\n', 1);
  if (changelog.slice(start, end).includes(`\n${sectionHeading}\n`)) return changelog;
  return `${changelog.slice(0, start)}\n${section}\n${changelog.slice(start)}`;
}

/** Returns the text of a CHANGELOG under one version; '' if the version is missing. */
export function releaseNotes(changelog: string, version: string): string {
  const release = findRelease(changelog, version);
  return release === undefined ? '' : changelog.slice(release.start, release.end).trim();
}

/** Returns where a version's text starts and ends: after its heading, before the next one. */
function findRelease(changelog: string, version: string): { readonly start: number; readonly end: number } | undefined {
  const heading = `\n## ${version}\n`;
  // The first line may be a heading as well.
  const at = `\n${changelog}`.indexOf(heading);
  if (at < 0) return undefined;
  const start = at + heading.length - 1;
  const end = changelog.indexOf('\n## ', start);
  return { start, end: end < 0 ? changelog.length : end };
}
