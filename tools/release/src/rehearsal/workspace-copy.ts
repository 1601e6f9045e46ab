import { outsideEnv, pnpm, rehearsalAuthor, runCommand } from './run-command.ts';

/** Clones the committed state of `root` with its tags and installs it, so that versions and builds change only the copy. */
export async function copyWorkspace(root: string, copy: string): Promise<string> {
  await runCommand('git', ['clone', '--quiet', '--no-hardlinks', root, copy], { cwd: root });
  await runCommand(pnpm, ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: copy });
  return (await runCommand('git', ['log', '-1', '--format=%h %s'], { cwd: copy })).trim();
}

/** Applies the pending changesets to the copy and commits the versions. */
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

/** Removes the tags: without pending changesets, the rehearsal publishes the current versions again. */
async function forgetReleases(copy: string): Promise<string> {
  const tags = (await runCommand('git', ['tag', '--list'], { cwd: copy })).split('\n').filter(Boolean);
  if (tags.length > 0) await runCommand('git', ['tag', '--delete', ...tags], { cwd: copy });
  return 'no changesets: the current versions';
}

/** Builds all published packages. */
export async function buildWorkspace(copy: string): Promise<string> {
  const filters = ['./specs/*', './packages/*', './apps/*'].map((filter) => `--filter=${filter}`);
  const args = ['exec', 'turbo', 'run', 'build', ...filters, '--output-logs=errors-only', '--ui=stream'];
  const output = await runCommand(pnpm, args, { cwd: copy });
  return /Tasks:\s+(.*)/.exec(output)?.[1]?.trim() ?? 'built';
}
