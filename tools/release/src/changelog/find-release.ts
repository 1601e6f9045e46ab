/** Where a CHANGELOG tells of a version, after its heading and up to the next; undefined where it does not. */
export function findRelease(
  changelog: string,
  version: string,
): { readonly start: number; readonly end: number } | undefined {
  const heading = `\n## ${version}\n`;
  // The first line may be a heading as well.
  const at = `\n${changelog}`.indexOf(heading);
  if (at < 0) return undefined;
  const start = at + heading.length - 1;
  const end = changelog.indexOf('\n## ', start);
  return { start, end: end < 0 ? changelog.length : end };
}
