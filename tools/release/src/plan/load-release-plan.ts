import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assembleReleasePlan } from '@changesets/assemble-release-plan';
import { readConfig } from '@changesets/config';
import { readChangesets } from '@changesets/read';
import { getPackages } from '@manypkg/get-packages';
import { ReleaseFailure } from '../release-failure.ts';

export interface PlannedPackage {
  /** In its manifest. */
  readonly version: string;
  /** With every changeset that waits, those of its dependencies included. */
  readonly nextVersion: string;
  /** Whether a release has been made of it, or is about to be: it has a CHANGELOG, or a changeset that names it. */
  readonly isAnnounced: boolean;
}

export interface ReleasePlan {
  readonly changesets: number;
  readonly packages: ReadonlyMap<string, PlannedPackage>;
}

/**
 * What the changesets that wait would make of each package: as `changeset version` reckons, which this writes nothing of.
 * @throws ReleaseFailure for a changeset or settings that changesets would refuse.
 */
export async function loadReleasePlan(root: string): Promise<ReleasePlan> {
  const packages = await getPackages(root);
  const { config, errors } = await readConfig(root, packages);
  if (config === undefined) throw new ReleaseFailure(`.changeset/config.json: ${errors.join('\n')}`);
  const { changesets, releases } = await readChangesets(root)
    .then((waiting) => assembleReleasePlan(waiting, packages, config, undefined))
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
