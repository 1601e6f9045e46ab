import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { publicPackages } from '../manifests/public-packages.ts';
import { outsideEnv, runCommand } from './run-command.ts';

/** A Node version on which the packages are tested. */
export interface NodeRuntime {
  readonly version: string;
  readonly program: string;
  /** The folder of the program, for the PATH. */
  readonly bin: string;
}

/** Returns the oldest Node versions that the packages support, such as 20.10.0 for `>=20.10`. */
export function listOldestNodes(): string[] {
  const versions = Object.values(publicPackages).map((range) => {
    const [, major, minor = '0'] = /^>=(\d+)(?:\.(\d+))?$/.exec(range) ?? [];
    if (major === undefined) throw new Error(`${range} is not a range such as >=22.19.`);
    return `${major}.${minor}.0`;
  });
  return [...new Set(versions)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Returns whether a Node version satisfies a range such as `>=22.19`. */
export function runsOn({ version }: Pick<NodeRuntime, 'version'>, range: string): boolean {
  return version.localeCompare(range.replace('>=', ''), 'en', { numeric: true }) >= 0;
}

/** The Node of this process, which is the newest. */
export const ownNode: NodeRuntime = {
  version: process.versions.node,
  program: process.execPath,
  bin: dirname(process.execPath),
};

/** Installs Node from the npm package `node`, whose binary is in one package per platform. */
export async function installNode(version: string, into: string, registry: string): Promise<NodeRuntime> {
  const folder = join(into, version);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const env = { ...outsideEnv(), npm_config_registry: registry, npm_config_audit: 'false', npm_config_fund: 'false' };
  // Runs the install script directly: npm is about to require an approval for each script.
  await runCommand('npm', ['install', '--ignore-scripts', '--prefer-offline', `node@${version}`], { cwd: folder, env });
  const cwd = join(folder, 'node_modules/node');
  await runCommand(process.execPath, ['installArchSpecificPackage.js'], { cwd, env });
  return { version, program: join(cwd, 'bin/node'), bin: join(cwd, 'bin') };
}
