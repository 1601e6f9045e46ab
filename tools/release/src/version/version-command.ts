import { runChangesets } from '../changesets-program.ts';
import { loadReleasePlan } from '../plan/load-release-plan.ts';
import { ReleaseFailure } from '../release-failure.ts';
import { run } from '../run.ts';
import { versionRelease } from './version-release.ts';

/** `version`: what a release commits. */
export async function runVersion(root: string): Promise<void> {
  const { changesets } = await loadReleasePlan(root);
  if (changesets === 0) throw new ReleaseFailure('No changeset waits: there is nothing to release.');
  await versionRelease(root, {
    applyChangesets: (folder) => runChangesets(folder, ['version']),
    // Nothing else that is generated says a version; the check for drift would tell.
    generateSpecs: (folder) =>
      run('turbo', ['run', 'generate', '--filter=./specs/*', '--output-logs=errors-only'], { cwd: folder }),
  });
}
