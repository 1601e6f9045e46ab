import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { publicPackages } from '../manifests/public-packages.ts';
import { outsideEnv, runCommand } from './run-command.ts';

/** One Node that the packages are tried on. */
export interface NodeRuntime {
  readonly version: string;
  readonly program: string;
  /** The folder of the program, for a PATH. */
  readonly bin: string;
}

/** The oldest Nodes that packages promise to run on, such as 20.10.0 for `>=20.10`. */
export function listOldestNodes(): string[] {
  const versions = Object.values(publicPackages).map((range) => {
    const [, major, minor = '0'] = /^>=(\d+)(?:\.(\d+))?$/.exec(range) ?? [];
    if (major === undefined) throw new Error(`${range} is no range such as >=22.19.`);
    return `${major}.${minor}.0`;
  });
  return [...new Set(versions)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Whether a package that wants `range`, such as `>=22.19`, runs on a Node. */
export function runsOn({ version }: Pick<NodeRuntime, 'version'>, range: string): boolean {
  return version.localeCompare(range.replace('>=', ''), 'en', { numeric: true }) >= 0;
}

/** The Node of this process: the newest. */
export const ownNode: NodeRuntime = {
  version: process.versions.node,
  program: process.execPath,
  bin: dirname(process.execPath),
};

/** Takes a Node from the package of that name, whose content another package holds for each platform. */
export async function installNode(version: string, into: string, registry: string): Promise<NodeRuntime> {
  const folder = join(into, version);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const env = { ...outsideEnv(), npm_config_registry: registry, npm_config_audit: 'false', npm_config_fund: 'false' };
  // Its script is run apart from npm, which is about to run none that nobody has approved.
  await runCommand('npm', ['install', '--ignore-scripts', '--prefer-offline', `node@${version}`], { cwd: folder, env });
  const cwd = join(folder, 'node_modules/node');
  await runCommand(process.execPath, ['installArchSpecificPackage.js'], { cwd, env });
  return { version, program: join(cwd, 'bin/node'), bin: join(cwd, 'bin') };
}
