import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rootFolder } from '../workspace.ts';

export interface CheckoutCopy {
  readonly root: string;
  /** Runs git in the copy and returns its output. */
  git(...args: string[]): string;
  remove(): void;
}

/**
 * Copies the current checkout to a new repository and commits it, for tests that change files. The packages of the copy
 * use each other and the installed dependencies.
 */
export function copyCheckout(): CheckoutCopy {
  const root = mkdtempSync(join(tmpdir(), 'rostergate-checkout-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: rootFolder,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) {
    if (statSync(join(rootFolder, file), { throwIfNoEntry: false })?.isFile()) copy(file, root);
  }
  const packages = new Set(files.split('\0').filter((file) => /^[^/]+\/[^/]+\/package\.json$/.test(file)));
  for (const manifest of packages) {
    const installed = join(dirname(manifest), 'node_modules');
    // These are relative links to packages of the workspace or to dependencies of the root.
    if (isThere(installed))
      cpSync(join(rootFolder, installed), join(root, installed), {
        ...{ recursive: true, verbatimSymlinks: true },
        // Tests that run at the same time add and remove hidden folders there.
        filter: (path) => !/\/node_modules\/\.(?!bin\b)/.test(path),
      });
  }
  symlinkSync(join(rootFolder, 'node_modules'), join(root, 'node_modules'));
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message=Copy');
  return { root, git, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function copy(file: string, root: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  cpSync(join(rootFolder, file), join(root, file));
}

function isThere(path: string): boolean {
  return statSync(join(rootFolder, path), { throwIfNoEntry: false }) !== undefined;
}
