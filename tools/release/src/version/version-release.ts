import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { insertSection } from '../changelog/changelog-file.ts';
import { emitContractSection } from '../changelog/emit-contract-section.ts';
import { findContracts } from '../contract/find-contracts.ts';
import { loadLastReleases } from '../contract/last-releases.ts';
import { type ContractChange, loadContractChange } from '../contract/load-contract-change.ts';
import { createGit } from '../git.ts';
import { loadReleasePlan } from '../release-plan.ts';
import { ReleaseFailure, run, runChangesets } from '../run.ts';
import { loadWorkspace } from '../workspace.ts';
import { writeInfoVersions } from './info-version.ts';

/** `version`: writes the versions and CHANGELOGs of the pending changesets. */
export async function runVersion(root: string): Promise<void> {
  const { changesets } = await loadReleasePlan(root);
  if (changesets === 0) throw new ReleaseFailure('No changeset is pending: nothing to release.');
  await versionRelease(root, {
    applyChangesets: (folder) => runChangesets(folder, ['version']),
    // Other generated files contain no version; the drift check would fail.
    generateSpecs: (folder) =>
      run('turbo', ['run', 'generate', '--filter=./specs/*', '--output-logs=errors-only'], { cwd: folder }),
  });
}

export interface VersionPorts {
  /** `changeset version`: writes versions and CHANGELOGs. */
  applyChangesets(root: string): Promise<void>;
  /** Regenerates the bundled documents. */
  generateSpecs(root: string): Promise<void>;
}

/**
 * Turns the pending changesets into versions. Adds the changes of each contract to the CHANGELOGs of its spec, clients
 * and stubs, and sets `info.version` to the version of the package.
 */
export async function versionRelease(root: string, { applyChangesets, generateSpecs }: VersionPorts): Promise<void> {
  const git = createGit(root);
  const contracts = findContracts(await loadWorkspace(root));
  const releases = loadLastReleases(git);
  const changes = contracts.map((contract) => loadContractChange(root, git, contract, releases));
  await applyChangesets(root);
  const versioned = await loadWorkspace(root);
  const versions = new Map(versioned.packages.map(({ manifest: { name, version } }) => [name, version]));
  for (const change of changes) writeContractSection(root, change, versions);
  if (writeInfoVersions(root, findContracts(versioned)).length > 0) await generateSpecs(root);
}

function writeContractSection(root: string, change: ContractChange, versions: ReadonlyMap<string, string>): void {
  const section = emitContractSection(change);
  const { spec, followers } = change.contract;
  for (const { directory, manifest } of [spec, ...followers]) {
    const path = join(root, directory, 'CHANGELOG.md');
    const version = versions.get(manifest.name);
    // A package without a new version has no release to describe.
    if (version === undefined || version === manifest.version || !existsSync(path)) continue;
    writeFileSync(path, insertSection(readFileSync(path, 'utf8'), version, section));
  }
}
