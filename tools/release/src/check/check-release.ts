import { findContracts } from '../contract/find-contracts.ts';
import { loadLastReleases } from '../contract/last-releases.ts';
import { type ContractChange, loadContractChange } from '../contract/load-contract-change.ts';
import { createGit } from '../git.ts';
import { findManifestFaults } from '../manifests/public-packages.ts';
import { loadReleasePlan } from '../release-plan.ts';
import { ReleaseFailure } from '../run.ts';
import { findWrongVersions } from '../version/info-version.ts';
import { loadWorkspace } from '../workspace.ts';
import { writeChangesets } from './draft-changeset.ts';
import { describeLowBumps, findLowBumps, type LowBump } from './low-bumps.ts';

/** `check`: fails if a change lacks its changeset, or a manifest is wrong. */
export async function runCheck(root: string): Promise<void> {
  const { faults, summary } = await checkRelease(root);
  for (const fault of faults) console.error(`${fault}\n`);
  console.log(summary);
  if (faults.length > 0) throw new ReleaseFailure('The release is not ready.');
}

/** `changeset`: writes drafts of the changesets that `check` reports. */
export async function runChangeset(root: string): Promise<void> {
  const { changes, lowBumps } = await checkRelease(root);
  const written = writeChangesets(root, changes, lowBumps);
  console.log(written.length === 0 ? 'No changeset is missing.' : `written: ${written.join(', ')}`);
}

export interface ReleaseCheck {
  readonly changes: readonly ContractChange[];
  readonly lowBumps: readonly LowBump[];
  /** The faults with their remedies; empty if a release may be made. */
  readonly faults: readonly string[];
  /** One line for the end of the log. */
  readonly summary: string;
}

/** Checks the changesets, versions and manifests of a checkout with its tags. */
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
        `${path}: info.version is ${found}, but the version of its package is ${expected}. Set both with pnpm release:version.`,
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
