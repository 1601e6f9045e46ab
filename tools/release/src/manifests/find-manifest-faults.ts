import type { Manifest, Package } from '../workspace.ts';
import { publicPackages } from './public-packages.ts';

/** Where a manifest says other than what is to be published, and how, as `file: what is wrong`. */
export function findManifestFaults(
  packages: readonly Package[],
  nodes: Readonly<Record<string, string>> = publicPackages,
): readonly string[] {
  const missing = Object.keys(nodes)
    .filter((name) => !packages.some(({ manifest }) => manifest.name === name))
    .map((name) => `${name} is to be published and is not there.`);
  const faults = packages.flatMap(({ directory, manifest }) => {
    const node = nodes[manifest.name];
    const own = node === undefined ? privateFaults(manifest) : publicFaults(manifest, node);
    return own.map((fault) => `${directory}/package.json: ${fault}`);
  });
  return [...missing, ...faults];
}

function privateFaults({ name, private: isPrivate }: Manifest): string[] {
  return isPrivate === true ? [] : [`${name} is not among the public packages: say "private": true.`];
}

function publicFaults(manifest: Manifest, node: string): string[] {
  const { license, type, description, files, engines, publishConfig } = manifest;
  const wants: readonly (readonly [boolean, string])[] = [
    [manifest.private !== true, 'is to be published: take away "private".'],
    [license === 'MIT', 'wants "license": "MIT".'],
    [type === 'module', 'wants "type": "module".'],
    [(description ?? '') !== '', 'wants a description.'],
    [files?.includes('CHANGELOG.md') === true, 'wants what is published in "files", "CHANGELOG.md" among it.'],
    [engines?.node === node, `wants "engines": { "node": "${node}" }.`],
    [publishConfig?.access === 'public', 'wants "publishConfig": { "access": "public" }.'],
    [publishConfig?.provenance === true, 'wants "publishConfig": { "provenance": true }.'],
  ];
  return wants.filter(([isMet]) => !isMet).map(([, text]) => text);
}
