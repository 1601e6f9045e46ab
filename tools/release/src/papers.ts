import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { releaseNotes } from './changelog/contract-section.ts';
import { createGit } from './contract/last-releases.ts';
import { ReleaseFailure, run } from './run.ts';
import { loadWorkspace, type Package } from './workspace.ts';

/** `papers`: writes the texts and files of each release into a folder. */
export async function runPapers(root: string, { folder }: { readonly folder: string | undefined }): Promise<void> {
  if (folder === undefined) throw new ReleaseFailure('Name the output folder: pnpm release:papers <folder>.');
  const names = await writePapers(root, resolve(folder), writeSbom);
  console.log(`${names.length} releases: ${names.join(', ')}`);
}

const writeSbom: WriteSbom = (root, { manifest: { name, bin } }, file) => {
  const kind = bin === undefined ? 'library' : 'application';
  const options = ['--recursive', '--prod', `--filter=${name}`, '--sbom-format=cyclonedx', `--sbom-type=${kind}`];
  return run('pnpm', ['sbom', ...options, `--out=${file}`], { cwd: root });
};

/** Writes the dependencies of a package as CycloneDX. */
export type WriteSbom = (root: string, package_: Package, file: string) => Promise<void>;

/**
 * Writes a folder for each package tagged at this commit, named without its scope: `tag`, `notes.md`, and in `attached/`
 * its dependencies and their licenses.
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
