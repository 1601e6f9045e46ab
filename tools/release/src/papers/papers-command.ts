import { resolve } from 'node:path';
import { ReleaseFailure } from '../release-failure.ts';
import { run } from '../run.ts';
import { type WriteSbom, writePapers } from './write-papers.ts';

/** `papers`: what a release on the repository is made of. */
export async function runPapers(root: string, { folder }: { readonly folder: string | undefined }): Promise<void> {
  if (folder === undefined) throw new ReleaseFailure('Name a folder to write to: pnpm release:papers <folder>.');
  const names = await writePapers(root, resolve(folder), writeSbom);
  console.log(`${names.length} releases: ${names.join(', ')}`);
}

const writeSbom: WriteSbom = (root, { manifest: { name, bin } }, file) => {
  const kind = bin === undefined ? 'library' : 'application';
  const options = ['--recursive', '--prod', `--filter=${name}`, '--sbom-format=cyclonedx', `--sbom-type=${kind}`];
  return run('pnpm', ['sbom', ...options, `--out=${file}`], { cwd: root });
};
