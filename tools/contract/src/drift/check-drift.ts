import { runProgram } from '../run-program.ts';
import { ToolFailure } from '../tool-failure.ts';
import { installedFile, rootFolder } from '../workspace.ts';

/** Where generated files are, as git names paths. */
export const generatedPaths = ['specs/*/gen', 'packages/*/src/gen', 'docs/errors.md'];

/** Writes everything anew and fails when that changes anything: what is committed is what the sources say. */
export async function checkDrift(): Promise<void> {
  const turbo = installedFile('turbo', 'bin/turbo');
  const generated = await runProgram(
    process.execPath,
    [turbo, 'run', 'generate', '--force', '--output-logs=errors-only'],
    {
      cwd: rootFolder,
    },
  );
  if (generated.exitCode !== 0) throw new ToolFailure(generated.output.trim());
  const pathspecs = generatedPaths.map((path) => `:(glob)${path}${path.includes('.') ? '' : '/**'}`);
  // Unlike `git diff`, status also sees files that nobody has added yet.
  const status = await runProgram('git', ['status', '--porcelain', '--untracked-files=all', '--', ...pathspecs], {
    cwd: rootFolder,
  });
  if (status.exitCode !== 0) throw new ToolFailure(status.output.trim());
  if (status.output !== '') throw new ToolFailure(describeDrift(status.output));
  console.log('Every generated file is what its source says.');
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
