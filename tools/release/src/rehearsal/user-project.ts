import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { publicPackages } from '../workspace.ts';
import { outsideEnv, pnpm, runCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

/** The registry and caches of a user project. */
export interface PackageSource {
  readonly registry: string;
  /** The folder of the caches of npm and pnpm. */
  readonly caches: string;
}

/** Returns the environment of a user with this Node and `registry`. */
export function createUserEnv({ registry, caches }: PackageSource, node: NodeRuntime): NodeJS.ProcessEnv {
  const env = outsideEnv();
  return {
    ...env,
    PATH: `${node.bin}:${env.PATH}`,
    npm_config_registry: registry,
    npm_config_cache: join(caches, 'npm'),
    // The caches are as old as the registry, so what one project has read is current for the next.
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

/** Installs packages with npm into an empty project; throws if npm reports that one does not support this Node. */
export async function installByNpm(folder: string, names: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  await createEmptyProject(folder);
  // npm only warns about unsupported engines.
  const output = await runCommand('npm', ['install', '--save-exact', ...names, '--loglevel', 'warn'], {
    cwd: folder,
    env,
    withErrors: true,
  });
  if (/package: '/.test(output)) throw new RehearsalFault(`Packages need another Node version:\n${output.trim()}`);
}

export interface PnpmOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly source: PackageSource;
}

/**
 * Installs packages with pnpm into an empty project, where a package can import only the dependencies of its own
 * package.json.
 */
export async function installByPnpm(
  folder: string,
  names: readonly string[],
  { env, source }: PnpmOptions,
): Promise<void> {
  await createEmptyProject(folder);
  await configurePnpm(folder, source, []);
  await runCommand(pnpm, ['add', '--save-exact', ...names], { cwd: folder, env });
}

/**
 * Installs packages with pnpm into several projects within a folder, by their paths in it, at once. As with
 * `installByPnpm`, a project can import only its own packages.
 */
export async function installProjectsByPnpm(
  folder: string,
  namesOf: Readonly<Record<string, readonly string[]>>,
  { env, source }: PnpmOptions,
): Promise<void> {
  for (const [project, names] of Object.entries(namesOf)) {
    const dependencies = Object.fromEntries(names.map((name) => [name, 'latest']));
    await createEmptyProject(join(folder, project), { dependencies });
  }
  await configurePnpm(folder, source, Object.keys(namesOf));
  await runCommand(pnpm, ['install'], { cwd: folder, env });
}

async function configurePnpm(folder: string, source: PackageSource, projects: readonly string[]): Promise<void> {
  const settings = {
    packages: projects,
    registry: source.registry,
    ...{ storeDir: join(source.caches, 'pnpm'), cacheDir: join(source.caches, 'pnpm-cache'), preferOffline: true },
    hoist: false,
    // The peers of a project are its own packages, not those of another project.
    dedupePeerDependents: false,
    // The packages have just been published.
    minimumReleaseAge: 0,
  };
  await writeFile(join(folder, 'pnpm-workspace.yaml'), stringify(settings));
  await writeFile(join(folder, '.npmrc'), `registry=${source.registry}\n`);
}

async function createEmptyProject(folder: string, more: object = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...more }));
}

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

/** Installs Node from the npm package with its binary for this platform. */
export async function installNode(version: string, into: string, source: PackageSource): Promise<NodeRuntime> {
  const folder = join(into, version);
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = [prefix, process.platform, process.arch].join('-');
  await installByPnpm(folder, [`${name}@${version}`], { env: outsideEnv(), source });
  const bin = join(folder, 'node_modules', name, 'bin');
  return { version, program: join(bin, 'node'), bin };
}
