import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isScalar, parseDocument } from 'yaml';
import type { Contract } from '../contract/find-contracts.ts';

/** A source of a contract whose `info.version` differs from the version of its package. */
export interface WrongVersion {
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
export function writeInfoVersions(root: string, contracts: readonly Contract[]): readonly string[] {
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
