import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeChanges } from '../changelog/describe-changes.ts';
import type { ContractChange } from '../contract/load-contract-change.ts';
import type { LowBump } from './low-bumps.ts';

/** Returns a changeset for the packages with low bumps, with a draft of its text. */
function draftChangeset({ contract, documents }: ContractChange, low: readonly LowBump[]): string {
  const [document] = documents.filter(({ state }) => state === 'existing');
  const sentences = document ? describeChanges(document.changes, document.operations) : [];
  const text =
    sentences.length > 0
      ? sentences.slice(0, sentencesMax).join(' ')
      : `The ${contract.name} contract has better texts.`;
  return ['---', ...low.map(({ name, needed }) => `"${name}": ${needed}`), '---', '', text, ''].join('\n');
}

const sentencesMax = 4;

/** Writes a changeset for each contract that needs one. @returns the paths relative to the root */
export function writeChangesets(
  root: string,
  changes: readonly ContractChange[],
  lowBumps: readonly LowBump[],
): readonly string[] {
  return changes.flatMap((change) => {
    const low = lowBumps.filter(({ contract }) => contract.name === change.contract.name);
    if (low.length === 0) return [];
    const path = freePath(root, `${change.contract.name}-contract`);
    writeFileSync(join(root, path), draftChangeset(change, low));
    return [path];
  });
}

function freePath(root: string, name: string): string {
  for (let i = 1; ; i++) {
    const path = `.changeset/${name}${i === 1 ? '' : `-${i}`}.md`;
    if (!existsSync(join(root, path))) return path;
  }
}
