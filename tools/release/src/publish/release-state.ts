import { createGit, type Git } from '../git.ts';
import { publicPackages } from '../manifests/public-packages.ts';
import { loadReleasePlan, type ReleasePlan } from '../release-plan.ts';

/** `state`: prints the next step as a line for GITHUB_OUTPUT. */
export async function runState(root: string): Promise<void> {
  console.log(`next=${findReleaseState(createGit(root), await loadReleasePlan(root), Object.keys(publicPackages))}`);
}

/** The next step: write versions, publish them, or wait for changesets. */
export type ReleaseState = 'version' | 'publish' | 'none';

export function findReleaseState(git: Git, plan: ReleasePlan, publicNames: readonly string[]): ReleaseState {
  if (plan.changesets > 0) return 'version';
  return findUntagged(git, plan, publicNames).length > 0 ? 'publish' : 'none';
}

/** Returns the versions without a tag, as `name@version`. */
export function findUntagged(git: Git, { packages }: ReleasePlan, publicNames: readonly string[]): readonly string[] {
  const tags = new Set(git.lines('tag', '--list'));
  return publicNames.map((name) => `${name}@${packages.get(name)?.version}`).filter((tag) => !tags.has(tag));
}
