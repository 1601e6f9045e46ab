import { diff, lt } from 'semver';
import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import { type Bump, bumpAbove, versionAbove } from '../contract/bump.ts';
import type { Contract, ContractChange } from '../contract/contract-change.ts';
import type { LastReleases } from '../contract/last-releases.ts';
import type { ReleasePlan } from '../release-plan.ts';

/** A package whose next version is too low for the change of its contract. */
export interface LowBump {
  readonly name: string;
  readonly contract: Contract;
  /** The bump above `released`; `minor` before the first release, which needs only a changeset. */
  readonly needed: Bump;
  /** The bump of the changesets; `none` if none names the package. */
  readonly planned: Bump;
  readonly released: string | undefined;
}

/**
 * Returns the specs, clients and stubs of changed contracts whose changesets raise them by less than the rating. A
 * version already in the manifest counts like a changeset.
 */
export function findLowBumps(
  changes: readonly ContractChange[],
  { packages }: ReleasePlan,
  releases: LastReleases,
): readonly LowBump[] {
  return changes.flatMap(({ contract, rating }) =>
    [contract.spec, ...contract.followers].flatMap(({ manifest: { name } }): LowBump[] => {
      const planned = packages.get(name);
      const released = releases.get(name)?.version;
      if (planned === undefined || rating === 'none') return [];
      if (released === undefined) {
        return planned.isAnnounced ? [] : [{ name, contract, needed: 'minor', planned: 'none', released }];
      }
      if (!lt(planned.nextVersion, versionAbove(released, rating))) return [];
      const reached = (diff(released, planned.nextVersion) ?? 'none') as Bump;
      return [{ name, contract, needed: bumpAbove(released, rating), planned: reached, released }];
    }),
  );
}

/** Returns a paragraph for each contract with low bumps: its changes, the bumps of its packages, and the remedy. */
export function describeLowBumps(changes: readonly ContractChange[], lowBumps: readonly LowBump[]): readonly string[] {
  return changes.flatMap((change) => {
    const low = lowBumps.filter(({ contract }) => contract.name === change.contract.name);
    return low.length === 0
      ? []
      : [[headline(change), ...listChanges(change), ...low.map(describe), remedy].join('\n')];
  });
}

const remedy = 'Run pnpm release:changeset to write the missing changesets, then edit their text.';

function headline({ contract: { name }, release, rating }: ContractChange): string {
  if (release === undefined) return `The ${name} contract has its first release and no changeset.`;
  const note = rating === 'major' && release.version.startsWith('0.') ? ' (before 1.0 that is a minor bump)' : '';
  return `The ${name} contract has changed since ${release.version}; the change is rated ${rating}${note}:`;
}

function listChanges({ release, documents }: ContractChange): string[] {
  if (release === undefined) return [];
  const lines = documents.flatMap(({ title, path, state, changes }) =>
    state === 'existing' ? changes.map(line) : [`  ${path} (${title}) is ${state}`],
  );
  const unique = [...new Set(lines)];
  if (unique.length === 0) return ['  only texts or types'];
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
  const given = planned === 'none' ? 'no changeset names it' : `its changesets make ${planned}`;
  return `${name} needs ${needed} above ${released}: ${given}.`;
}
