/** What a CHANGELOG says under one of its versions; '' where it says nothing of it. */
export function releaseNotes(changelog: string, version: string): string {
  const [, after = ''] = `\n${changelog}`.split(`\n## ${version}\n`);
  return after.split('\n## ', 1)[0]?.trim() ?? '';
}
