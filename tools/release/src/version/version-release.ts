import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emitContractSection } from '../changelog/emit-contract-section.ts';
import { insertSection } from '../changelog/insert-section.ts';
import { findContracts } from '../contract/find-contracts.ts';
import { loadLastReleases } from '../contract/last-releases.ts';
import { type ContractChange, loadContractChange } from '../contract/load-contract-change.ts';
import { createGit } from '../git.ts';
import { loadWorkspace } from '../workspace.ts';
import { writeInfoVersions } from './info-version.ts';

export interface VersionPorts {
  /** `changeset version`: versions and CHANGELOGs from the changesets that wait. */
  applyChangesets(root: string): Promise<void>;
  /** Writes the bundled documents anew. */
  generateSpecs(root: string): Promise<void>;
}

/**
 * Turns the changesets that wait into versions. The CHANGELOGs of specs, clients and stubs tell what became of the
 * contract, and each contract says the version of its package.
 */
export async function versionRelease(root: string, { applyChangesets, generateSpecs }: VersionPorts): Promise<void> {
  const git = createGit(root);
  const contracts = findContracts(await loadWorkspace(root));
  const releases = loadLastReleases(git);
  const changes = contracts.map((contract) => loadContractChange(root, git, contract, releases));
  await applyChangesets(root);
  const versioned = await loadWorkspace(root);
  const versions = new Map(versioned.packages.map(({ manifest: { name, version } }) => [name, version]));
  for (const change of changes) tellOfContract(root, change, versions);
  if (writeInfoVersions(root, findContracts(versioned)).length > 0) await generateSpecs(root);
}

function tellOfContract(root: string, change: ContractChange, versions: ReadonlyMap<string, string>): void {
  const section = emitContractSection(change);
  const { spec, followers } = change.contract;
  for (const { directory, manifest } of [spec, ...followers]) {
    const path = join(root, directory, 'CHANGELOG.md');
    const version = versions.get(manifest.name);
    // What has not been raised has no new release to tell it under.
    if (version === undefined || version === manifest.version || !existsSync(path)) continue;
    writeFileSync(path, insertSection(readFileSync(path, 'utf8'), version, section));
  }
}
