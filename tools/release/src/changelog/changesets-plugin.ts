import type { ChangelogFunctions } from '@changesets/types';

/**
 * How changesets writes the lines of a CHANGELOG: the words of the changeset, and which of our packages it goes with.
 * Callers look up neither commits nor authors. The section on the contract is put in by the version command, since
 * changesets does not say here for which package it asks.
 */
const changelog: ChangelogFunctions = {
  getReleaseLine: ({ summary }) => `- ${indented(summary.trim())}`,
  getDependencyReleaseLine: (_changesets, updated) =>
    updated.length === 0
      ? ''
      : `- Goes with ${updated.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(', ')}.`,
};

export default changelog;

/** A text of several paragraphs stays in its list item. */
function indented(text: string): string {
  return text
    .split('\n')
    .map((line, i) => (i === 0 || line === '' ? line : `  ${line}`))
    .join('\n');
}
