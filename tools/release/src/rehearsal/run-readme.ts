import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkResolution } from './entry-points.ts';
import type { PublishedPackage } from './published-package.ts';
import { type ReadmeProgram, readInstallLine, readReadmeProgram } from './readme-program.ts';
import { tryCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';
import {
  createUserEnv,
  installProjectsByPnpm,
  type NodeRuntime,
  ownNode,
  type PackageSource,
  runsOn,
} from './user-project.ts';

/** The program of a README, and the packages of its install line. */
export interface Readme {
  readonly published: PublishedPackage;
  readonly program: ReadmeProgram;
  readonly installed: readonly string[];
}

/**
 * Returns the program of a README.
 * @param replaced the placeholders of the README with their values
 */
export function parseReadme(
  published: PublishedPackage,
  readme: string,
  replaced: Readonly<Record<string, string>>,
): Readme {
  const { name } = published;
  const program = readReadmeProgram(readme, replaced);
  const installed = readInstallLine(readme);
  if (program === undefined) throw new RehearsalFault(`The README of ${name} contains no program.`);
  if (!installed.includes(name))
    throw new RehearsalFault(`The README of ${name} lacks the line "npm install … ${name} …".`);
  return { published, program, installed };
}

/** Installs for each README a project with the packages that it names, in a folder with the name of its package. */
export async function installReadmes(folder: string, readmes: readonly Readme[], source: PackageSource): Promise<void> {
  // TypeScript projects need the types of Node and Express.
  const namesOf = readmes.map(({ published: { name }, installed }) => {
    const types = ['@types/node', ...(installed.includes('express') ? ['@types/express'] : [])];
    return [name, [...installed, ...types]];
  });
  // The project of the compiler.
  const all = { '.': ['@types/node'], ...Object.fromEntries(namesOf) };
  await installProjectsByPnpm(folder, all, { env: createUserEnv(source, ownNode), source });
  for (const { published, program } of readmes) {
    await writeFile(join(folder, published.name, 'readme.ts'), program.code);
  }
}

/** Compiles the programs of all READMEs, which starts the compiler twice instead of twice for each. */
export async function compileReadmes(folder: string, readmes: readonly Readme[]): Promise<void> {
  const programs = readmes.map(({ published }) => `${published.name}/readme.ts`);
  await checkResolution(folder, programs, ['node']);
}

/** Runs the compiled program of a README on each Node version that its package supports. Returns these versions. */
export async function runReadme(
  folder: string,
  { published, program }: Readme,
  nodes: readonly NodeRuntime[],
): Promise<string[]> {
  const fitting = nodes.filter((node) => runsOn(node, published.manifest.engines?.node ?? ''));
  for (const node of fitting) await runProgram(join(folder, published.name), node, program.prints);
  return fitting.map(({ version }) => version);
}

async function runProgram(folder: string, node: NodeRuntime, prints: readonly string[]): Promise<void> {
  const args = ['--no-warnings', 'readme.js'];
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
