import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { NodeRuntime } from './node-runtime.ts';
import { outsideEnv, pnpm, runCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

/** Where strangers get their packages. */
export interface PackageSource {
  readonly registry: string;
  /** Holds what npm and pnpm keep between installations. */
  readonly caches: string;
}

/** A shell of somebody with this Node, whose npm and pnpm ask `registry`. */
export function createStrangerEnv({ registry, caches }: PackageSource, node: NodeRuntime): NodeJS.ProcessEnv {
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

/** Installs packages by npm into an empty project; throws when that is said not to fit this Node. */
export async function installByNpm(folder: string, names: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  await createEmptyProject(folder);
  // npm names the engines that do not fit on its error output, and still succeeds.
  const said = await runCommand('npm', ['install', '--save-exact', ...names, '--loglevel', 'warn'], {
    cwd: folder,
    env,
    withErrors: true,
  });
  if (/package: '/.test(said)) throw new RehearsalFault(`npm says that these want another Node:\n${said.trim()}`);
}

/**
 * Installs packages by pnpm into an empty project, where each package finds what its own package.json names and
 * nothing else.
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
    // They were published a moment ago.
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
