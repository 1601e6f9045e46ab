import { checkRelease } from '../check/check-release.ts';
import { createGit } from '../git.ts';
import { publicPackages } from '../manifests/public-packages.ts';
import { loadReleasePlan } from '../release-plan.ts';
import { ReleaseFailure, run, runChangesets } from '../run.ts';
import { loadWorkspace } from '../workspace.ts';
import { findUntagged } from './release-state.ts';
import { repositoryOf, withRepository } from './with-repository.ts';

/** `publish`: builds, publishes and tags the committed versions. */
export async function runPublish(root: string, { hasProvenance }: { readonly hasProvenance: boolean }): Promise<void> {
  const options = { hasProvenance, repository: repositoryOf(process.env) };
  await publishRelease(root, options, {
    build: (folder) => run('turbo', ['run', 'build', '--output-logs=errors-only'], { cwd: folder }),
    async publish(folder, env) {
      await runChangesets(folder, ['publish'], { env });
      // Tags versions that an earlier run published without tagging them.
      await runChangesets(folder, ['git-tag']);
    },
  });
}

export interface PublishPorts {
  build(root: string): Promise<void>;
  /** `changeset publish`: publishes the versions that the registry lacks and tags each. */
  publish(root: string, env: NodeJS.ProcessEnv): Promise<void>;
}

export interface PublishOptions {
  readonly hasProvenance: boolean;
  /** `git+https://…`; undefined outside of a workflow. */
  readonly repository: string | undefined;
  readonly publicNodes?: Readonly<Record<string, string>>;
}

/**
 * Publishes the committed versions.
 * @throws ReleaseFailure when changesets are pending, nothing is left to publish, or a check fails.
 */
export async function publishRelease(root: string, options: PublishOptions, ports: PublishPorts): Promise<void> {
  const { hasProvenance, repository, publicNodes = publicPackages } = options;
  const plan = await loadReleasePlan(root);
  if (plan.changesets > 0)
    throw new ReleaseFailure('Changesets are pending: run pnpm release:version and commit the result.');
  if (findUntagged(createGit(root), plan, Object.keys(publicNodes)).length === 0) {
    throw new ReleaseFailure('Every version is published: nothing to do.');
  }
  if (hasProvenance && repository === undefined) {
    throw new ReleaseFailure(
      'GITHUB_REPOSITORY is not set: provenance needs the release workflow. To publish by hand, pass --no-provenance.',
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
