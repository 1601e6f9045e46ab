import { execFileSync } from 'node:child_process';

/** A repository, read only. */
export interface Git {
  /** What a command prints, line by line. @throws when git refuses. */
  lines(...args: string[]): string[];
  /** A file's text at a revision; undefined where it was not there. */
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
      const isThere = run(['ls-tree', '--name-only', revision, '--', path]) !== '';
      return isThere ? run(['show', `${revision}:${path}`]) : undefined;
    },
  };
}

/** A bundled contract is a few hundred KB. */
const bytesMax = 64 * 1024 * 1024;
