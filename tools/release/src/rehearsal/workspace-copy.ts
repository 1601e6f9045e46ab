import { outsideEnv, pnpm, rehearsalAuthor, runCommand } from './run-command.ts';

/** Clones what is committed in `root`, with its tags, and installs it: what is versioned and built there touches nobody. */
export async function copyWorkspace(root: string, copy: string): Promise<string> {
  await runCommand('git', ['clone', '--quiet', '--no-hardlinks', root, copy], { cwd: root });
  await runCommand(pnpm, ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: copy });
  return (await runCommand('git', ['log', '-1', '--format=%h %s'], { cwd: copy })).trim();
}

/** Gives the packages of the copy the versions that the waiting changesets ask for, and commits them. */
export async function versionWorkspace(copy: string): Promise<string> {
  const listed = await runCommand('git', ['ls-files', '.changeset/*.md', ':!.changeset/README.md'], { cwd: copy });
  const count = listed.split('\n').filter(Boolean).length;
  if (count === 0) return forgetReleases(copy);
  await runCommand(pnpm, ['run', 'release:version'], { cwd: copy });
  await runCommand('git', ['add', '--all'], { cwd: copy });
  const args = ['commit', '--quiet', '--no-gpg-sign', '--message', 'Version the packages'];
  await runCommand('git', args, { cwd: copy, env: { ...outsideEnv(), ...rehearsalAuthor } });
  return `${count} changesets`;
}

/** Right after a release nothing waits: what was released is then released once more. */
async function forgetReleases(copy: string): Promise<string> {
  const tags = (await runCommand('git', ['tag', '--list'], { cwd: copy })).split('\n').filter(Boolean);
  if (tags.length > 0) await runCommand('git', ['tag', '--delete', ...tags], { cwd: copy });
  return 'no changesets: the versions as they stand';
}

/** Compiles all that is published. */
export async function buildWorkspace(copy: string): Promise<string> {
  const filters = ['./specs/*', './packages/*', './apps/*'].map((filter) => `--filter=${filter}`);
  const args = ['exec', 'turbo', 'run', 'build', ...filters, '--output-logs=errors-only', '--ui=stream'];
  const said = await runCommand(pnpm, args, { cwd: copy });
  return /Tasks:\s+(.*)/.exec(said)?.[1]?.trim() ?? 'built';
}
