import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runProgram } from '../run-program.ts';
import { ToolFailure } from '../tool-failure.ts';
import { installedFile, rootFolder } from '../workspace.ts';

/** Where generated files are, from the root. */
export const generatedPaths = [
  'specs/*/gen/**',
  'packages/*/src/gen/**',
  'apps/*/schemas/*.json',
  'docs/errors.md',
  'docs/configuration.md',
  'docs/commands.md',
  'docs/contract.md',
  'docs/promises.md',
  'docs/reports/*.md',
];

export interface CheckDriftOptions {
  /** Of the checkout that is looked at. */
  readonly root?: string;
  /** Writes all that is generated there; throws when it cannot. */
  readonly generate?: (root: string) => Promise<void>;
}

/** Writes everything anew and fails when that changes anything: what is committed is what the sources say. */
export async function checkDrift({ root = rootFolder, generate = generateAll }: CheckDriftOptions = {}): Promise<void> {
  const before = readGenerated(root);
  await generate(root);
  const pathspecs = generatedPaths.map((path) => `:(glob)${path}`);
  // Unlike `git diff`, status also sees files that nobody has added yet.
  const status = await runProgram('git', ['status', '--porcelain', '--untracked-files=all', '--', ...pathspecs], {
    cwd: root,
  });
  if (status.exitCode !== 0) throw new ToolFailure(status.output.trim());
  if (status.output !== '') throw new ToolFailure(describeDrift(status.output));
  const mended = changedFiles(before, readGenerated(root));
  if (mended.length > 0) throw new ToolFailure(describeMended(mended));
  console.log('Every generated file is what its source says.');
}

async function generateAll(root: string): Promise<void> {
  const args = [installedFile('turbo', 'bin/turbo'), 'run', 'generate', '--force', '--output-logs=errors-only'];
  const { exitCode, output } = await runProgram(process.execPath, args, { cwd: root });
  if (exitCode !== 0) throw new ToolFailure(output.trim());
}

/** The bytes of each generated file: git knows nothing of an edit that the generators have just undone. */
function readGenerated(root: string): ReadonlyMap<string, string> {
  const files = globSync(generatedPaths, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(root, path), readFileSync(path, 'latin1')]));
}

/** Files that differ, or that are on one side alone. */
export function changedFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
}

/** What to do about files that were edited, and are what they should be again. */
export function describeMended(paths: readonly string[]): string {
  return [
    'Edited by hand, and written anew from the sources:',
    ...paths.map((path) => `  ${path}`),
    'Change specs/, tools/contract or the error table instead, and run `pnpm generate`.',
  ].join('\n');
}

/** What to do about the files that `git status --porcelain` lists. */
export function describeDrift(status: string): string {
  const files = status.trimEnd().split('\n');
  const [them, they] = files.length === 1 ? ['file', 'it'] : ['files', 'them'];
  return [
    `${files.length} generated ${them} would change:`,
    ...files.map((line) => `  ${line}`),
    `Run \`pnpm generate\` and commit ${they}. Never edit ${they} by hand: the sources are specs/, tools/contract and the error table.`,
  ].join('\n');
}
