import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeChanges } from '../changelog/describe-changes.ts';
import { type ContractChange, findContracts, loadContractChange } from '../contract/contract-change.ts';
import { createGit, loadLastReleases } from '../contract/last-releases.ts';
import { loadReleasePlan } from '../release-plan.ts';
import { ReleaseFailure } from '../run.ts';
import { findWrongVersions } from '../version.ts';
import { findManifestFaults, loadWorkspace } from '../workspace.ts';
import { describeLowBumps, findLowBumps, type LowBump } from './low-bumps.ts';
import { findStaleTemplates, readTemplatePackages } from './stale-templates.ts';

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
    ...findStaleTemplates(plan, readTemplatePackages(root)),
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
