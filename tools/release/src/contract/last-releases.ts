import { execFileSync } from 'node:child_process';
import { gt, valid } from 'semver';
import { ReleaseFailure } from '../run.ts';

export interface Release {
  /** `@rostergate/staff-spec@0.2.0` */
  readonly tag: string;
  readonly version: string;
}

/** The highest version of each package that is tagged in the history of this commit. */
export type LastReleases = ReadonlyMap<string, Release>;

export function loadLastReleases(git: Git): LastReleases {
  const releases = new Map<string, Release>();
  for (const tag of git.lines('tag', '--list', '--merged', 'HEAD')) {
    const at = tag.lastIndexOf('@');
    const [name, version] = [tag.slice(0, at), tag.slice(at + 1)];
    if (at < 1 || valid(version) === null) continue;
    const before = releases.get(name);
    if (before === undefined || gt(version, before.version)) releases.set(name, { tag, version });
  }
  return releases;
}

/**
 * Checks that a package with a CHANGELOG has its tags: a shallow clone has none.
 * @throws ReleaseFailure with the command that fetches them.
 */
export function assertTagsAreThere(git: Git, hasChangelog: boolean): void {
  if (!hasChangelog || git.lines('rev-parse', '--is-shallow-repository')[0] !== 'true') return;
  throw new ReleaseFailure(
    'This clone is shallow and lacks the tags of the last release: run git fetch --unshallow --tags.',
  );
}

/** Reads a git repository. */
export interface Git {
  /** Returns the output lines of a command. @throws when git fails. */
  lines(...args: string[]): string[];
  /** Returns the text of a file at a revision; undefined if the file is missing there. */
  textAt(revision: string, path: string): string | undefined;
}

export function createGit(folder: string): Git {
  const run = (args: string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: bytesMax,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    lines: (...args) => run(args).split('\n').filter(Boolean),
    textAt(revision, path) {
      const exists = run(['ls-tree', '--name-only', revision, '--', path]) !== '';
      return exists ? run(['show', `${revision}:${path}`]) : undefined;
    },
  };
}

/** A bundled contract has a few hundred KB. */
const bytesMax = 64 * 1024 * 1024;
