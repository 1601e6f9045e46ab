import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkResolution } from './entry-points.ts';
import type { PublishedPackage } from './published-package.ts';
import { readInstallLine, readReadmeProgram } from './readme-program.ts';
import { tryCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';
import { createUserEnv, installByPnpm, type NodeRuntime, ownNode, type PackageSource, runsOn } from './user-project.ts';

export interface ReadmeRun {
  readonly published: PublishedPackage;
  readonly readme: string;
  /** The placeholders of the README with their values. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly nodes: readonly NodeRuntime[];
  readonly source: PackageSource;
}

/**
 * Installs the packages that a README names, compiles its program and runs it on each Node version that the package
 * supports. Returns these versions.
 */
export async function runReadme({ published, readme, replaced, folder, nodes, source }: ReadmeRun): Promise<string[]> {
  const program = readReadmeProgram(readme, replaced);
  const names = readInstallLine(readme);
  if (program === undefined) throw new RehearsalFault('The README contains no program.');
  if (!names.includes(published.name))
    throw new RehearsalFault(`The README lacks the line "npm install … ${published.name} …".`);
  const env = createUserEnv(source, ownNode);
  // TypeScript projects need the types of Node and Express.
  const types = ['@types/node', ...(names.includes('express') ? ['@types/express'] : [])];
  await installByPnpm(folder, [...names, ...types], { env, source });
  await writeFile(join(folder, 'readme.ts'), program.code);
  await checkResolution(folder, ['node']);
  const fitting = nodes.filter((node) => runsOn(node, published.manifest.engines?.node ?? ''));
  for (const node of fitting) await runProgram(folder, node, program.prints);
  return fitting.map(({ version }) => version);
}

async function runProgram(folder: string, node: NodeRuntime, prints: readonly string[]): Promise<void> {
  const args = ['--no-warnings', 'out/readme.js'];
  const { exitCode, stdout, stderr } = await tryCommand(node.program, args, { cwd: folder, timeoutMs: 60_000 });
  const printed = stdout.trimEnd().split('\n');
  if (exitCode !== 0 || stderr !== '' || stdout === '') {
    throw new RehearsalFault(
      `The program exited with ${exitCode} on Node ${node.version}.\n${stdout}${stderr}`.trimEnd(),
    );
  }
  if (prints.length > 0 && printed.join('\n') !== prints.join('\n')) {
    throw new RehearsalFault(
      `The program printed on Node ${node.version}\n${printed.join('\n')}\nbut the README states\n${prints.join('\n')}`,
    );
  }
}
