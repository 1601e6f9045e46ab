import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isScalar, parseDocument } from 'yaml';
import { emitContractSection, insertSection } from './changelog/contract-section.ts';
import { type Contract, type ContractChange, findContracts, loadContractChange } from './contract/contract-change.ts';
import { createGit, loadLastReleases } from './contract/last-releases.ts';
import { loadReleasePlan } from './release-plan.ts';
import { ReleaseFailure, run, runChangesets } from './run.ts';
import { loadWorkspace } from './workspace.ts';

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

/** A source of a contract whose `info.version` differs from the version of its package. */
interface WrongVersion {
  /** Relative to the root. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/** Returns the contracts and overlays whose version differs from their package. */
export function findWrongVersions(root: string, contracts: readonly Contract[]): readonly WrongVersion[] {
  return contracts.flatMap(({ spec: { directory, manifest } }) =>
    sourcesOf(root, directory).flatMap((path) => {
      const { found } = locateVersion(readFileSync(join(root, path), 'utf8'), path);
      return found === manifest.version ? [] : [{ path, found, expected: manifest.version }];
    }),
  );
}

/** Writes the version into each source without changing another byte. @returns the changed paths */
function writeInfoVersions(root: string, contracts: readonly Contract[]): readonly string[] {
  const wrong = findWrongVersions(root, contracts);
  for (const { path, expected } of wrong) {
    const text = readFileSync(join(root, path), 'utf8');
    const { start, end } = locateVersion(text, path);
    writeFileSync(join(root, path), text.slice(0, start) + expected + text.slice(end));
  }
  return wrong.map(({ path }) => path);
}

function sourcesOf(root: string, directory: string): string[] {
  return readdirSync(join(root, directory))
    .filter((file) => file === 'openapi.yaml' || file.endsWith('.overlay.yaml'))
    .sort()
    .map((file) => `${directory}/${file}`);
}

function locateVersion(text: string, path: string): { found: string; start: number; end: number } {
  const node = parseDocument(text).getIn(['info', 'version'], true);
  if (!isScalar(node) || !node.range) throw new TypeError(`${path} has no info.version.`);
  return { found: String(node.value), start: node.range[0], end: node.range[1] };
}
