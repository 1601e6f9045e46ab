import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicPackages } from '../workspace.ts';
import { outsideEnv, pnpm, rehearsalAuthor, runCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

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

export interface PublishingOptions {
  /** An empty folder that serves as the home folder. */
  readonly home: string;
  readonly registry: string;
}

/** Publishes the packages of a copy with the release command, to a registry without authentication. */
export async function publishWorkspace(copy: string, { home, registry }: PublishingOptions): Promise<string> {
  await mkdir(home, { recursive: true });
  // Publishing requires a token. The user's own tokens are out of reach.
  const npmrc = `registry=${registry}\n//${new URL(registry).host}/:_authToken=anybody\n`;
  await writeFile(join(home, '.npmrc'), npmrc);
  await writeFile(join(copy, '.npmrc'), npmrc);
  const env = {
    ...outsideEnv(),
    ...rehearsalAuthor,
    HOME: home,
    npm_config_userconfig: join(home, '.npmrc'),
    npm_config_registry: registry,
    PNPM_CONFIG_REGISTRY: registry,
  };
  await runCommand(pnpm, ['run', 'release:publish', '--no-provenance'], { cwd: copy, env });
  const tags = (await runCommand('git', ['tag', '--points-at', 'HEAD'], { cwd: copy })).split('\n').filter(Boolean);
  const untagged = Object.keys(publicPackages).filter((name) => !tags.some((tag) => tag.startsWith(`${name}@`)));
  if (untagged.length > 0) throw new RehearsalFault(`No tag for ${untagged.join(', ')}: not published.`);
  return `${tags.length} packages, all tagged`;
}
