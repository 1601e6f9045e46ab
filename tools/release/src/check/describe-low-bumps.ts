import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { ContractChange } from '../contract/load-contract-change.ts';
import type { LowBump } from '../plan/find-low-bumps.ts';

/** A paragraph for each contract that is announced too low: what changed, what is wanted of whom, and what mends it. */
export function describeLowBumps(changes: readonly ContractChange[], lowBumps: readonly LowBump[]): readonly string[] {
  return changes.flatMap((change) => {
    const low = lowBumps.filter(({ contract }) => contract.name === change.contract.name);
    return low.length === 0 ? [] : [[headline(change), ...listChanges(change), ...low.map(describe), mend].join('\n')];
  });
}

/** The command that mends it. */
const mend = 'Run pnpm release:changeset, which writes what is missing, and put it in your words.';

function headline({ contract: { name }, release, rating }: ContractChange): string {
  if (release === undefined)
    return `The ${name} contract is to be released for the first time, and that is not announced.`;
  const note = rating === 'major' && release.version.startsWith('0.') ? ' (before 1.0 that is a minor bump)' : '';
  return `The ${name} contract has changed since ${release.version}; the change is rated ${rating}${note}:`;
}

function listChanges({ release, documents }: ContractChange): string[] {
  if (release === undefined) return [];
  const lines = documents.flatMap(({ title, path, state, changes }) =>
    state === 'kept' ? changes.map(line) : [`  ${path} (${title}) is ${state}`],
  );
  const unique = [...new Set(lines)];
  if (unique.length === 0) return ['  what it says in words, or its types'];
  const rest = unique.length - linesMax;
  return [...unique.slice(0, linesMax), ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}

const linesMax = 12;

function line({ kind, operation, part, text }: Change): string {
  const place = [operation, part].filter(Boolean).join(', ');
  return `  ${kind.padEnd(10)} ${place === '' ? '' : `${place}: `}${text}`;
}

function describe({ name, needed, planned, released }: LowBump): string {
  if (released === undefined) return `${name} is in no changeset.`;
  const given = planned === 'none' ? 'no changeset names it' : `its changesets come to ${planned}`;
  return `${name} needs ${needed} above ${released}: ${given}.`;
}
