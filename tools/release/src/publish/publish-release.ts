import { checkRelease } from '../check/check-release.ts';
import { createGit } from '../git.ts';
import { publicPackages } from '../manifests/public-packages.ts';
import { loadReleasePlan } from '../plan/load-release-plan.ts';
import { ReleaseFailure } from '../release-failure.ts';
import { loadWorkspace } from '../workspace.ts';
import { findUntagged } from './release-state.ts';
import { withRepository } from './with-repository.ts';

export interface PublishPorts {
  build(root: string): Promise<void>;
  /** `changeset publish`: what the registry does not have yet, then a tag for each. */
  publish(root: string, env: NodeJS.ProcessEnv): Promise<void>;
}

export interface PublishOptions {
  readonly hasProvenance: boolean;
  /** Of the sources, as `git+https://…`; undefined where only a person knows. */
  readonly repository: string | undefined;
  readonly publicNodes?: Readonly<Record<string, string>>;
}

/**
 * Publishes the versions that are committed.
 * @throws ReleaseFailure when something waits to be versioned, or is not as it must be to be published.
 */
export async function publishRelease(root: string, options: PublishOptions, ports: PublishPorts): Promise<void> {
  const { hasProvenance, repository, publicNodes = publicPackages } = options;
  const plan = await loadReleasePlan(root);
  if (plan.changesets > 0)
    throw new ReleaseFailure('Changesets wait: run pnpm release:version and commit what it writes.');
  if (findUntagged(createGit(root), plan, Object.keys(publicNodes)).length === 0) {
    throw new ReleaseFailure('Every version has been published: there is nothing to do.');
  }
  if (hasProvenance && repository === undefined) {
    throw new ReleaseFailure(
      'Provenance is made where the release workflow runs: GITHUB_REPOSITORY is not set. By hand, give --no-provenance.',
    );
  }
  const { faults } = await checkRelease(root, publicNodes);
  if (faults.length > 0) throw new ReleaseFailure(faults.join('\n\n'));
  await ports.build(root);
  // pnpm reads neither publishConfig.provenance nor npm's own variables.
  const publish = () => ports.publish(root, { PNPM_CONFIG_PROVENANCE: String(hasProvenance) });
  if (repository === undefined) return publish();
  const { packages } = await loadWorkspace(root);
  await withRepository(
    root,
    packages.filter(({ manifest }) => manifest.private !== true),
    repository,
    publish,
  );
}
