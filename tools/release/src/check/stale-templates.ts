import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import type { ReleasePlan } from '../release-plan.ts';

const creator = 'create-rostergate';

/** Returns the names of the packages that the examples install; `create-rostergate` has their versions when it is built. */
export function readTemplatePackages(root: string): string[] {
  const names = globSync('examples/*/package.json', { cwd: root }).flatMap((path) => {
    const { dependencies } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<'dependencies', object>;
    return Object.keys(dependencies);
  });
  return [...new Set(names)].sort();
}

/** Returns a sentence for each package whose next version new projects would not install, and the remedy. */
export function findStaleTemplates({ packages }: ReleasePlan, names: readonly string[]): string[] {
  const own = packages.get(creator);
  if (own !== undefined && own.nextVersion !== own.version) return [];
  return names.flatMap((name) => {
    const planned = packages.get(name);
    if (planned === undefined || satisfies(planned.nextVersion, `^${planned.version}`)) return [];
    return [
      `${creator} would go on to install ${name} ${planned.version} when ${planned.nextVersion} is out. Add "${creator}": patch to a changeset.`,
    ];
  });
}
