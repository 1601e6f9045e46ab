import { execFileSync } from 'node:child_process';

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
