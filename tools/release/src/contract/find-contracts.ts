import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Package, Workspace } from '../workspace.ts';

/** A contract with the packages generated from it. */
export interface Contract {
  /** The folder under `specs/`. */
  readonly name: string;
  readonly spec: Package;
  /** The bundled documents that its package exports, relative to the root. */
  readonly documents: readonly string[];
  /** Clients and stubs, which change with the contract. */
  readonly followers: readonly Package[];
}

export function findContracts({ root, packages }: Workspace): readonly Contract[] {
  return packages
    .filter(({ directory }) => directory.startsWith('specs/'))
    .map((spec) => ({
      name: spec.directory.slice('specs/'.length),
      spec,
      documents: exportedDocuments(spec),
      followers: packages.filter(
        ({ directory, manifest }) =>
          manifest.private !== true &&
          manifest.dependencies?.[spec.manifest.name] !== undefined &&
          existsSync(join(root, directory, 'src/gen')),
      ),
    }));
}

function exportedDocuments({ directory, manifest }: Package): string[] {
  return Object.values(manifest.exports ?? {})
    .filter((target) => typeof target === 'string' && target.endsWith('openapi.json'))
    .map((target) => `${directory}/${(target as string).slice('./'.length)}`);
}
