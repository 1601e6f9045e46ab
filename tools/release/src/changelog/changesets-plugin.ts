import type { ChangelogFunctions } from '@changesets/types';

/**
 * The CHANGELOG lines of changesets: the text of the changeset and the updated packages of this workspace, without
 * commits and authors. The version command adds the section on the contract, because changesets does not pass the
 * package here.
 */
const changelog: ChangelogFunctions = {
  getReleaseLine: ({ summary }) => `- ${indented(summary.trim())}`,
  getDependencyReleaseLine: (_changesets, updated) =>
    updated.length === 0
      ? ''
      : `- Goes with ${updated.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(', ')}.`,
};

export default changelog;

/** Indents further paragraphs into the list item. */
function indented(text: string): string {
  return text
    .split('\n')
    .map((line, i) => (i === 0 || line === '' ? line : `  ${line}`))
    .join('\n');
}
