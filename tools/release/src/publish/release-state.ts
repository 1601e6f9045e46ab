import type { Git } from '../git.ts';
import type { ReleasePlan } from '../plan/load-release-plan.ts';

/** What is to be done next: write versions, publish what is versioned, or wait for changesets. */
export type ReleaseState = 'version' | 'publish' | 'none';

export function findReleaseState(git: Git, plan: ReleasePlan, publicNames: readonly string[]): ReleaseState {
  if (plan.changesets > 0) return 'version';
  return findUntagged(git, plan, publicNames).length > 0 ? 'publish' : 'none';
}

/** Versions, as `name@version`, that no tag says have been published. */
export function findUntagged(git: Git, { packages }: ReleasePlan, publicNames: readonly string[]): readonly string[] {
  const tags = new Set(git.lines('tag', '--list'));
  return publicNames.map((name) => `${name}@${packages.get(name)?.version}`).filter((tag) => !tags.has(tag));
}
