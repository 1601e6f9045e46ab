import { relative } from 'node:path';

/**
 * What a published package.json leaves out: conditions that lead to sources, which are not in the package, and what is
 * for this workspace alone. Where a release says which repository it comes from, as its provenance must, so does each package.
 */
function beforePacking({ scripts, devDependencies, ...manifest }, directory) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  const url = server && name && `git+${server}/${name}.git`;
  const repository = url && { type: 'git', url, directory: relative(import.meta.dirname, directory) };
  return { ...manifest, ...(repository && { repository }), exports: withoutSource(manifest.exports) };
}

function withoutSource(exports) {
  const doors = Object.entries(exports).map(([door, target]) => {
    if (typeof target === 'string') return [door, target];
    const { source, ...conditions } = target;
    return [door, conditions];
  });
  return Object.fromEntries(doors);
}

export const hooks = { beforePacking };
