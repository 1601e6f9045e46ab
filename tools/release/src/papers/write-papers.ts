import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGit } from '../git.ts';
import { loadWorkspace, type Package } from '../workspace.ts';
import { releaseNotes } from './release-notes.ts';

/** Writes what a package is installed with, as CycloneDX. */
export type WriteSbom = (root: string, of: Package, file: string) => Promise<void>;

/**
 * A folder for each package that is tagged at this commit, by its name without the scope: its `tag`, its `notes.md`, and
 * in `attached/` the packages it is installed with and their licenses.
 * @returns the names of the packages
 */
export async function writePapers(root: string, folder: string, writeSbom: WriteSbom): Promise<readonly string[]> {
  const tags = new Set(createGit(root).lines('tag', '--points-at', 'HEAD'));
  const { packages } = await loadWorkspace(root);
  const tagged = packages.filter(({ manifest: { name, version } }) => tags.has(`${name}@${version}`));
  for (const each of tagged) {
    const { name, version } = each.manifest;
    const target = join(folder, name.replace(/^@.*\//, ''));
    const attached = join(target, 'attached');
    mkdirSync(attached, { recursive: true });
    writeFileSync(join(target, 'tag'), `${name}@${version}\n`);
    writeFileSync(join(target, 'notes.md'), `${notesOf(root, each)}\n`);
    copyFileSync(join(root, 'docs/licenses.md'), join(attached, 'licenses.md'));
    await writeSbom(root, each, join(attached, 'sbom.cdx.json'));
  }
  return tagged.map(({ manifest }) => manifest.name);
}

function notesOf(root: string, { directory, manifest }: Package): string {
  const path = join(root, directory, 'CHANGELOG.md');
  return existsSync(path) ? releaseNotes(readFileSync(path, 'utf8'), manifest.version) : '';
}
