import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runProgram } from '../run-program.ts';
import { installedFile, rootFolder, ToolFailure } from '../workspace.ts';

/** Where generated files are, from the root. */
const generatedPaths = [
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
  /** Writes all generated files. */
  readonly generate?: (root: string) => Promise<void>;
}

/** Generates all files again. Throws when that changes a file, because committed files must match their sources. */
export async function checkDrift({ root = rootFolder, generate = generateAll }: CheckDriftOptions = {}): Promise<void> {
  const before = readGenerated(root);
  await generate(root);
  const pathspecs = generatedPaths.map((path) => `:(glob)${path}`);
  // Unlike `git diff`, `git status` also lists untracked files.
  const status = await runProgram('git', ['status', '--porcelain', '--untracked-files=all', '--', ...pathspecs], {
    cwd: root,
  });
  if (status.exitCode !== 0) throw new ToolFailure(status.output.trim());
  if (status.output !== '') throw new ToolFailure(describeDrift(status.output));
  const restored = changedFiles(before, readGenerated(root));
  if (restored.length > 0) throw new ToolFailure(describeRestored(restored));
  console.log('All generated files match their sources.');
}

async function generateAll(root: string): Promise<void> {
  const args = [installedFile('turbo', 'bin/turbo'), 'run', 'generate', '--force', '--output-logs=errors-only'];
  const { exitCode, output } = await runProgram(process.execPath, args, { cwd: root });
  if (exitCode !== 0) throw new ToolFailure(output.trim());
}

/** Returns the bytes of each generated file, because git does not report edits that the generators have undone. */
function readGenerated(root: string): ReadonlyMap<string, string> {
  const files = globSync(generatedPaths, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(root, path), readFileSync(path, 'latin1')]));
}

/** Returns the files that differ or are on one side only. */
export function changedFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
}

/** Returns the message about files that were edited by hand and are restored. */
function describeRestored(paths: readonly string[]): string {
  return [
    'These generated files were edited by hand, and are now restored:',
    ...paths.map((path) => `  ${path}`),
    'Change specs/, tools/contract or the error table instead, and run `pnpm generate`.',
  ].join('\n');
}

/** Returns the message about the files that `git status --porcelain` lists. */
export function describeDrift(status: string): string {
  const files = status.trimEnd().split('\n');
  const [them, they] = files.length === 1 ? ['file', 'it'] : ['files', 'them'];
  return [
    `${files.length} generated ${them} would change:`,
    ...files.map((line) => `  ${line}`),
    `Run \`pnpm generate\` and commit ${they}. Never edit ${they} by hand: the sources are specs/, tools/contract and the error table.`,
  ].join('\n');
}
