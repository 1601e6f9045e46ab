import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { NodeRuntime } from './node-runtime.ts';
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

/**
 * Installs packages with pnpm into an empty project, where a package can import only the dependencies of its own
 * package.json.
 */
export async function installByPnpm(
  folder: string,
  names: readonly string[],
  { env, source }: { env: NodeJS.ProcessEnv; source: PackageSource },
): Promise<void> {
  await createEmptyProject(folder);
  const settings = {
    packages: [],
    registry: source.registry,
    storeDir: join(source.caches, 'pnpm'),
    hoist: false,
    // The packages have just been published.
    minimumReleaseAge: 0,
  };
  await writeFile(join(folder, 'pnpm-workspace.yaml'), stringify(settings));
  await writeFile(join(folder, '.npmrc'), `registry=${source.registry}\n`);
  await runCommand(pnpm, ['add', '--save-exact', ...names], { cwd: folder, env });
}

async function createEmptyProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
}
