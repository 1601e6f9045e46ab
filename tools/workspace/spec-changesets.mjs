import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * @typedef {{ name: string, changedFiles: readonly string[], isVersioned: boolean }} SpecChange `changedFiles` since the
 *   last release, `isVersioned` when a version above that release stands in the manifest already
 */

/**
 * Specs that changed and that no changeset announces. @param {readonly SpecChange[]} specs
 * @param {readonly string[]} changesets their texts
 */
export function findUnannouncedSpecs(specs, changesets) {
  const announced = new Set(changesets.flatMap(packagesOf));
  return specs.filter((spec) => spec.changedFiles.length > 0 && !spec.isVersioned && !announced.has(spec.name));
}

/** The packages in a changeset's front matter. @param {string} text */
function packagesOf(text) {
  const [, head = ''] = /^---\n([\s\S]*?)\n---/.exec(text) ?? [];
  return [...head.matchAll(/^\s*['"]?([^'":\s]+)['"]?\s*:/gm)].map((match) => match[1] ?? '');
}

/** @param {string} directory under specs/ @returns {SpecChange} */
function loadSpecChange(directory) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'specs', directory, 'package.json'), 'utf8'));
  const release = git('tag', '--list', `${name}@*`, '--merged', 'HEAD', '--sort=-version:refname')[0];
  const folders = [`specs/${directory}`, 'specs/common'];
  const isContract = (/** @type {string} */ file) =>
    /\.(ya?ml|json)$/.test(file) && !/\/gen\/|\/package\.json$/.test(file);
  if (release === undefined) {
    const isVersioned = existsSync(join(root, 'specs', directory, 'CHANGELOG.md'));
    return { name, changedFiles: git('ls-files', ...folders).filter(isContract), isVersioned };
  }
  const changedFiles = git('diff', '--name-only', release, '--', ...folders).filter(isContract);
  return { name, changedFiles, isVersioned: release !== `${name}@${version}` };
}

/** @param {string[]} args @returns {string[]} lines */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}

if (process.argv[1] === import.meta.filename) {
  const specs = readdirSync(join(root, 'specs')).filter((name) =>
    existsSync(join(root, 'specs', name, 'package.json')),
  );
  const changesets = readdirSync(join(root, '.changeset')).filter((file) => /^(?!README).*\.md$/.test(file));
  const missing = findUnannouncedSpecs(
    specs.map(loadSpecChange),
    changesets.map((file) => readFileSync(join(root, '.changeset', file), 'utf8')),
  );
  for (const { name, changedFiles } of missing) {
    console.error(
      `${name} changed (${changedFiles.slice(0, 3).join(', ')} …) and no changeset says so: run pnpm changeset.`,
    );
  }
  console.log(`${specs.length} specs, ${changesets.length} changesets, ${missing.length} changes unannounced`);
  process.exitCode = missing.length > 0 ? 1 : 0;
}
