import { findContracts } from '../contract/find-contracts.ts';
import { loadLastReleases } from '../contract/last-releases.ts';
import { type ContractChange, loadContractChange } from '../contract/load-contract-change.ts';
import { createGit } from '../git.ts';
import { findManifestFaults } from '../manifests/find-manifest-faults.ts';
import { findLowBumps, type LowBump } from '../plan/find-low-bumps.ts';
import { loadReleasePlan } from '../plan/load-release-plan.ts';
import { findWrongVersions } from '../version/info-version.ts';
import { loadWorkspace } from '../workspace.ts';
import { describeLowBumps } from './describe-low-bumps.ts';

export interface ReleaseCheck {
  readonly changes: readonly ContractChange[];
  readonly lowBumps: readonly LowBump[];
  /** Each says in whole sentences what is wrong and what mends it; empty when a release may be made. */
  readonly faults: readonly string[];
  /** One line for the end of a log. */
  readonly summary: string;
}

/** Whether what changed since the last release is announced as it should be, in a checkout with its tags. */
export async function checkRelease(
  root: string,
  publicNodes?: Readonly<Record<string, string>>,
): Promise<ReleaseCheck> {
  const git = createGit(root);
  const workspace = await loadWorkspace(root);
  const contracts = findContracts(workspace);
  const plan = await loadReleasePlan(root);
  const releases = loadLastReleases(git);
  const changes = contracts.map((contract) => loadContractChange(root, git, contract, releases));
  const lowBumps = findLowBumps(changes, plan, releases);
  const faults = [
    ...describeLowBumps(changes, lowBumps),
    ...findWrongVersions(root, contracts).map(
      ({ path, found, expected }) =>
        `${path}: info.version is ${found}, and its package's version ${expected}. The version command keeps them alike: pnpm release:version.`,
    ),
    ...findManifestFaults(workspace.packages, publicNodes),
  ];
  const rated = changes.map(
    ({ contract, release, rating }) =>
      `${contract.name} ${release === undefined ? 'has no release yet' : `${rating} since ${release.version}`}`,
  );
  return {
    changes,
    lowBumps,
    faults,
    summary: `${rated.join(', ')}; ${plan.changesets} changesets, ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`,
  };
}
