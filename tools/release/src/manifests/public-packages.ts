import type { Manifest, Package } from '../workspace.ts';

/** The published packages with their Node range: specs and clients support older versions than servers. */
export const publicPackages: Readonly<Record<string, string>> = {
  '@rostergate/gateway-spec': '>=20.10',
  '@rostergate/staff-spec': '>=20.10',
  '@rostergate/gateway-client': '>=20.10',
  '@rostergate/staff-client': '>=20.10',
  '@rostergate/odata': '>=20.10',
  '@rostergate/endpoints': '>=22.19',
  '@rostergate/gateway-server': '>=22.19',
  '@rostergate/staff-server': '>=22.19',
  '@rostergate/server': '>=22.19',
  '@rostergate/config': '>=22.19',
  '@rostergate/access': '>=22.19',
  '@rostergate/upstream': '>=22.19',
  '@rostergate/pages': '>=22.19',
  '@rostergate/roster-page': '>=22.19',
  '@rostergate/scheduling': '>=22.19',
  '@rostergate/staff-proxy': '>=22.19',
  rostergate: '>=22.19',
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
