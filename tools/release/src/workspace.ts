import { relative } from 'node:path';
import { getPackages } from '@manypkg/get-packages';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly type?: string;
  readonly description?: string;
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

export interface Package {
  /** Relative to the root, with slashes, such as `specs/staff`. */
  readonly directory: string;
  readonly manifest: Manifest;
}

export interface Workspace {
  readonly root: string;
  /** Sorted by directory. */
  readonly packages: readonly Package[];
}

/** Reads all manifests of a workspace. */
export async function loadWorkspace(root: string): Promise<Workspace> {
  const found = await getPackages(root);
  const packages = found.packages.map(({ dir, packageJson }) => ({
    directory: relative(root, dir).replaceAll('\\', '/'),
    manifest: packageJson as unknown as Manifest,
  }));
  return { root, packages: packages.sort((a, b) => (a.directory < b.directory ? -1 : 1)) };
}
