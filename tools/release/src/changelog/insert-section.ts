/** Puts a section first under the newest release of a CHANGELOG; one that is there already stays as it is. */
export function insertSection(changelog: string, version: string, section: string): string {
  const heading = `## ${version}\n`;
  const start = changelog.indexOf(heading);
  if (start < 0 || section === '') return changelog;
  const after = start + heading.length;
  const [sectionHeading = ''] = section.split('\n', 1);
  const end = changelog.indexOf('\n## ', after);
  const release = changelog.slice(after, end < 0 ? undefined : end);
  if (release.includes(`\n${sectionHeading}\n`)) return changelog;
  return `${changelog.slice(0, after)}\n${section}\n${changelog.slice(after)}`;
}
