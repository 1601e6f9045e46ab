import { runChangesets } from '../changesets-program.ts';
import { createGit } from '../git.ts';
import { publicPackages } from '../manifests/public-packages.ts';
import { loadReleasePlan } from '../plan/load-release-plan.ts';
import { run } from '../run.ts';
import { publishRelease } from './publish-release.ts';
import { findReleaseState } from './release-state.ts';
import { repositoryOf } from './with-repository.ts';

/** `publish`: builds and publishes what is versioned, and tags it. */
export async function runPublish(root: string, { hasProvenance }: { readonly hasProvenance: boolean }): Promise<void> {
  const options = { hasProvenance, repository: repositoryOf(process.env) };
  await publishRelease(root, options, {
    build: (folder) => run('turbo', ['run', 'build', '--output-logs=errors-only'], { cwd: folder }),
    async publish(folder, env) {
      await runChangesets(folder, ['publish'], { env });
      // What an earlier try published and did not come to tag.
      await runChangesets(folder, ['git-tag']);
    },
  });
}

/** `state`: what is to be done next, as a line that a workflow keeps. */
export async function runState(root: string): Promise<void> {
  console.log(`next=${findReleaseState(createGit(root), await loadReleasePlan(root), Object.keys(publicPackages))}`);
}
