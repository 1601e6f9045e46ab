import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRelease } from './check/check-release.ts';
import { createGit, type Git } from './contract/last-releases.ts';
import { loadReleasePlan, type ReleasePlan } from './release-plan.ts';
import { ReleaseFailure, run, runChangesets } from './run.ts';
import { loadWorkspace, type Package, publicPackages } from './workspace.ts';

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

/** `state`: prints the next step as a line for GITHUB_OUTPUT. */
export async function runState(root: string): Promise<void> {
  console.log(`next=${findReleaseState(createGit(root), await loadReleasePlan(root), Object.keys(publicPackages))}`);
}

/** The next step: write versions, publish them, or wait for changesets. */
type ReleaseState = 'version' | 'publish' | 'none';

export function findReleaseState(git: Git, plan: ReleasePlan, publicNames: readonly string[]): ReleaseState {
  if (plan.changesets > 0) return 'version';
  return findUntagged(git, plan, publicNames).length > 0 ? 'publish' : 'none';
}

/** Returns the versions without a tag, as `name@version`. */
function findUntagged(git: Git, { packages }: ReleasePlan, publicNames: readonly string[]): readonly string[] {
  const tags = new Set(git.lines('tag', '--list'));
  return publicNames.map((name) => `${name}@${packages.get(name)?.version}`).filter((tag) => !tags.has(tag));
}

/** Returns the URL of the repository whose workflow runs; undefined elsewhere. */
export function repositoryOf(env: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  return server && name ? `git+${server}/${name}.git` : undefined;
}

/**
 * Adds the repository to each manifest during an action: registries accept provenance only if both name the same
 * repository. It is removed afterwards, because a checkout does not know its repository.
 */
async function withRepository(
  root: string,
  packages: readonly Package[],
  url: string,
  action: () => Promise<void>,
): Promise<void> {
  const files = packages.map(({ directory }) => {
    const path = join(root, directory, 'package.json');
    return { path, directory, text: readFileSync(path, 'utf8') };
  });
  try {
    for (const { path, directory, text } of files) {
      const manifest = { ...JSON.parse(text), repository: { type: 'git', url, directory } };
      writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
    }
    await action();
  } finally {
    for (const { path, text } of files) writeFileSync(path, text);
  }
}
