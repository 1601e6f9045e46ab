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

/** The published packages with their Node range: specs and clients support older versions than servers. */
export const publicPackages: Readonly<Record<string, string>> = {
  '@rostergate/admin-spec': '>=20.10',
  '@rostergate/gateway-spec': '>=20.10',
  '@rostergate/staff-spec': '>=20.10',
  '@rostergate/admin-client': '>=20.10',
  '@rostergate/gateway-client': '>=20.10',
  '@rostergate/staff-client': '>=20.10',
  '@rostergate/odata': '>=20.10',
  '@rostergate/endpoints': '>=22.19',
  '@rostergate/admin-server': '>=22.19',
  '@rostergate/gateway-server': '>=22.19',
  '@rostergate/staff-server': '>=22.19',
  '@rostergate/server': '>=22.19',
  '@rostergate/config': '>=22.19',
  '@rostergate/access': '>=22.19',
  '@rostergate/mcp': '>=22.19',
  '@rostergate/upstream': '>=22.19',
  '@rostergate/pages': '>=22.19',
  '@rostergate/roster-page': '>=22.19',
  '@rostergate/scheduling': '>=22.19',
  '@rostergate/staff-proxy': '>=22.19',
  rostergate: '>=22.19',
  'create-rostergate': '>=22.19',
};

/** Returns the differences between the manifests and the packages to publish, as `file: fault`. */
export function findManifestFaults(
  packages: readonly Package[],
  nodes: Readonly<Record<string, string>> = publicPackages,
): readonly string[] {
  const missing = Object.keys(nodes)
    .filter((name) => !packages.some(({ manifest }) => manifest.name === name))
    .map((name) => `${name} is to be published, but does not exist.`);
  const faults = packages.flatMap(({ directory, manifest }) => {
    const node = nodes[manifest.name];
    const own = node === undefined ? privateFaults(manifest) : publicFaults(manifest, node);
    return own.map((fault) => `${directory}/package.json: ${fault}`);
  });
  return [...missing, ...faults];
}

function privateFaults({ name, private: isPrivate }: Manifest): string[] {
  return isPrivate === true ? [] : [`${name} is not a public package: set "private": true.`];
}

function publicFaults(manifest: Manifest, node: string): string[] {
  const { license, type, description, files, engines, publishConfig } = manifest;
  const rules: readonly (readonly [boolean, string])[] = [
    [manifest.private !== true, 'is a public package: remove "private".'],
    [license === 'MIT', 'needs "license": "MIT".'],
    [type === 'module', 'needs "type": "module".'],
    [(description ?? '') !== '', 'needs a description.'],
    [files?.includes('CHANGELOG.md') === true, 'needs "files" with "CHANGELOG.md".'],
    [engines?.node === node, `needs "engines": { "node": "${node}" }.`],
    [publishConfig?.access === 'public', 'needs "publishConfig": { "access": "public" }.'],
    [publishConfig?.provenance === true, 'needs "publishConfig": { "provenance": true }.'],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, text]) => text);
}
