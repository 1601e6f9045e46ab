import { diff, lt } from 'semver';
import { type Bump, bumpAbove, versionAbove } from '../contract/bump.ts';
import type { Contract } from '../contract/find-contracts.ts';
import type { LastReleases } from '../contract/last-releases.ts';
import type { ContractChange } from '../contract/load-contract-change.ts';
import type { ReleasePlan } from './load-release-plan.ts';

/** A package whose next version is lower than the change of its contract asks for. */
export interface LowBump {
  readonly name: string;
  readonly contract: Contract;
  /** Above `released`; before the first release, for which any changeset does, `minor`. */
  readonly needed: Bump;
  /** What the changesets come to; `none` where none names it. */
  readonly planned: Bump;
  readonly released: string | undefined;
}

/**
 * The spec of each contract that changed, its clients and its stubs, where the changesets raise them by less than the
 * change is rated. A version that already stands in the manifest counts as much as a changeset.
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
