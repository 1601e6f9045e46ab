import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkResolution } from './check-resolution.ts';
import { type NodeRuntime, ownNode, runsOn } from './node-runtime.ts';
import type { PublishedPackage } from './published-package.ts';
import { readInstallLine, readReadmeProgram } from './readme-program.ts';
import { tryCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';
import { createStrangerEnv, installByPnpm, type PackageSource } from './stranger-project.ts';

export interface ReadmeRun {
  readonly published: PublishedPackage;
  readonly readme: string;
  /** What stands for the reader's own, and what it is here. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly nodes: readonly NodeRuntime[];
  readonly source: PackageSource;
}

/**
 * Installs what the README of a package says, compiles its program and runs it on each Node that the package promises;
 * gives back on which.
 */
export async function runReadme({ published, readme, replaced, folder, nodes, source }: ReadmeRun): Promise<string[]> {
  const program = readReadmeProgram(readme, replaced);
  const names = readInstallLine(readme);
  if (program === undefined) throw new RehearsalFault('It shows no program.');
  if (!names.includes(published.name)) throw new RehearsalFault(`It has no line "npm install … ${published.name} …".`);
  const env = createStrangerEnv(source, ownNode);
  // The compiler wants to know of Node and Express as it would in any project of TypeScript.
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
  const said = stdout.trimEnd().split('\n');
  if (exitCode !== 0 || stderr !== '' || stdout === '') {
    throw new RehearsalFault(`On Node ${node.version} it ended with ${exitCode}.\n${stdout}${stderr}`.trimEnd());
  }
  if (prints.length > 0 && said.join('\n') !== prints.join('\n')) {
    throw new RehearsalFault(`On Node ${node.version} it printed\n${said.join('\n')}\nand says\n${prints.join('\n')}`);
  }
}
