/**
 * What a published package.json leaves out: conditions that lead to sources, which are not in the package, and what is
 * for this workspace alone.
 */
function beforePacking({ scripts, devDependencies, ...manifest }) {
  return { ...manifest, ...(manifest.exports && { exports: withoutSource(manifest.exports) }) };
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
