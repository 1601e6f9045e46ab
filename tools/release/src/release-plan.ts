import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assembleReleasePlan } from '@changesets/assemble-release-plan';
import { readConfig } from '@changesets/config';
import { readChangesets } from '@changesets/read';
import { getPackages } from '@manypkg/get-packages';
import { ReleaseFailure } from './run.ts';

export interface PlannedPackage {
  /** The version in the manifest. */
  readonly version: string;
  /** The version after all pending changesets, those of its dependencies included. */
  readonly nextVersion: string;
  /** Whether it has a CHANGELOG or a changeset. */
  readonly isAnnounced: boolean;
}

export interface ReleasePlan {
  readonly changesets: number;
  readonly packages: ReadonlyMap<string, PlannedPackage>;
}

/**
 * Returns the versions that `changeset version` would write.
 * @throws ReleaseFailure for invalid changesets or settings.
 */
export async function loadReleasePlan(root: string): Promise<ReleasePlan> {
  const packages = await getPackages(root);
  const { config, errors } = await readConfig(root, packages);
  if (config === undefined) throw new ReleaseFailure(`.changeset/config.json: ${errors.join('\n')}`);
  const { changesets, releases } = await readChangesets(root)
    .then((pending) => assembleReleasePlan(pending, packages, config, undefined))
    .catch((error: Error) => {
      throw new ReleaseFailure(`.changeset: ${error.message}`, { cause: error });
    });
  const next = new Map(releases.map(({ name, newVersion }) => [name, newVersion]));
  const named = new Set(changesets.flatMap((changeset) => changeset.releases.map(({ name }) => name)));
  return {
    changesets: changesets.length,
    packages: new Map(
      packages.packages.map(({ dir, packageJson: { name, version } }) => [
        name,
        {
          version,
          nextVersion: next.get(name) ?? version,
          isAnnounced: named.has(name) || existsSync(join(dir, 'CHANGELOG.md')),
        },
      ]),
    ),
  };
}
