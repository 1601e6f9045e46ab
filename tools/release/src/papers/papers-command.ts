import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createGit } from '../git.ts';
import { ReleaseFailure } from '../release-failure.ts';
import { run } from '../run.ts';
import { loadWorkspace } from '../workspace.ts';
import { releaseNotes } from './release-notes.ts';

/**
 * `papers`: a folder for each package that is tagged at this commit, with its `tag`, its `notes.md`, and what is attached
 * to its release: the packages it is installed with (CycloneDX) and their licenses.
 */
export async function runPapers(root: string, { folder }: { readonly folder: string | undefined }): Promise<void> {
  if (folder === undefined) throw new ReleaseFailure('Name a folder to write to: pnpm release:papers <folder>.');
  const tags = new Set(createGit(root).lines('tag', '--points-at', 'HEAD'));
  const { packages } = await loadWorkspace(root);
  const tagged = packages.filter(({ manifest: { name, version } }) => tags.has(`${name}@${version}`));
  for (const { directory, manifest } of tagged) {
    const { name, version } = manifest;
    const target = resolve(folder, name.replace(/^@.*\//, ''));
    const attached = join(target, 'attached');
    mkdirSync(attached, { recursive: true });
    writeFileSync(join(target, 'tag'), `${name}@${version}\n`);
    const changelog = join(root, directory, 'CHANGELOG.md');
    const notes = existsSync(changelog) ? releaseNotes(readFileSync(changelog, 'utf8'), version) : '';
    writeFileSync(join(target, 'notes.md'), `${notes}\n`);
    copyFileSync(join(root, 'docs/licenses.md'), join(attached, 'licenses.md'));
    const kind = manifest.bin === undefined ? 'library' : 'application';
    const options = ['--recursive', '--prod', `--filter=${name}`, '--sbom-format=cyclonedx', `--sbom-type=${kind}`];
    await run('pnpm', ['sbom', ...options, `--out=${join(attached, 'sbom.cdx.json')}`], { cwd: root });
  }
  console.log(`${tagged.length} releases: ${tagged.map(({ manifest }) => manifest.name).join(', ')}`);
}
