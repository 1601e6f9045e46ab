import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from '../workspace.ts';

/** Returns the URL of the repository whose workflow runs; undefined elsewhere. */
export function repositoryOf(env: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  return server && name ? `git+${server}/${name}.git` : undefined;
}

/**
 * Adds the repository to each manifest during an action: registries accept provenance only if both name the same
 * repository. It is removed afterwards, because a checkout does not know its repository.
 */
export async function withRepository(
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
