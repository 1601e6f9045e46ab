import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

/** Clones what is committed in `root`, with its tags, and installs it: what is versioned and built there touches nobody. */
export async function copyWorkspace(root: string, copy: string): Promise<string> {
  await runCommand('git', ['clone', '--quiet', '--no-hardlinks', root, copy], { cwd: root });
  await runCommand('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: copy });
  return (await runCommand('git', ['log', '-1', '--format=%h %s'], { cwd: copy })).trim();
}

/** Gives the packages of the copy the versions that the waiting changesets ask for. */
export async function versionWorkspace(copy: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
  const waiting = await runCommand('git', ['ls-files', '.changeset/*.md', ':!.changeset/README.md'], { cwd: copy });
  const count = waiting.split('\n').filter(Boolean).length;
  // Nothing waits right after a release: what is committed then has the versions that were released.
  if (count === 0) return 'no changesets: the versions as they stand';
  const command = scripts['release:version'] ? ['run', 'release:version'] : ['exec', 'changeset', 'version'];
  await runCommand('pnpm', command, { cwd: copy });
  return `${count} changesets`;
}

/** Compiles all that is published. */
export async function buildWorkspace(copy: string): Promise<string> {
  const filters = ['./specs/*', './packages/*', './apps/*'].map((filter) => `--filter=${filter}`);
  const args = ['exec', 'turbo', 'run', 'build', ...filters, '--output-logs=errors-only', '--ui=stream'];
  const said = await runCommand('pnpm', args, { cwd: copy });
  return /Tasks:\s+(.*)/.exec(said)?.[1]?.trim() ?? 'built';
}
