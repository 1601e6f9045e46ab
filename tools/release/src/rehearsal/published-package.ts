import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findManifestFaults, loadWorkspace, type Manifest, publicPackages } from '../workspace.ts';
import { pnpm, runCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

/** A packed package. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  /** The tarball. */
  readonly file: string;
  /** The folder of the unpacked content. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Paths within the package. */
  readonly files: readonly string[];
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

/** Packs every public package of the workspace into `folder`, as for publishing. */
export async function packPackages(root: string, folder: string): Promise<PublishedPackage[]> {
  const { packages } = await loadWorkspace(root);
  const faults = findManifestFaults(packages);
  if (faults.length > 0) throw new RehearsalFault(faults.join('\n'));
  const directories = packages.filter(({ manifest }) => manifest.name in publicPackages);
  return Promise.all(directories.map(({ directory }) => packPackage(join(root, directory), join(folder, directory))));
}

async function packPackage(directory: string, destination: string): Promise<PublishedPackage> {
  await mkdir(destination, { recursive: true });
  await runCommand(pnpm, ['pack', '--pack-destination', destination], { cwd: directory });
  const [tarball = ''] = await readdir(destination);
  const file = join(destination, tarball);
  await runCommand('tar', ['-xzf', file, '-C', destination], { cwd: directory });
  return readPackage(file, join(destination, 'package'));
}

/** Returns the package of a tarball that is unpacked in `folder`. */
export async function readPackage(file: string, folder: string): Promise<PublishedPackage> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return {
    name: manifest.name,
    version: manifest.version,
    file,
    folder,
    manifest,
    files: paths.map((path) => path.slice(folder.length + 1)).sort(),
    packedBytes: (await stat(file)).size,
    unpackedBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
