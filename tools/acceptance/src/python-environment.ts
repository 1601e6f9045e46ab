import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { succeeds } from './succeeds.ts';

export interface PythonEnvironment {
  /** The name of the folder in the cache. */
  readonly name: string;
  /** The file with the pinned packages. */
  readonly requirements: string;
  /** A command of the environment with arguments, which succeeds when the installation is complete. */
  readonly probe: readonly [command: string, ...args: string[]];
  readonly say?: (text: string) => void;
}

/**
 * Installs pinned packages into a Python environment, once per set of requirements, and resolves with the folder of its
 * commands. Throws with a remedy if Python cannot create the environment.
 */
export async function installPython({ name, requirements, probe, say }: PythonEnvironment): Promise<string> {
  const cacheFolder = fileURLToPath(new URL(`../node_modules/.cache/${name}`, import.meta.url));
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder, digest);
  const [command, ...args] = probe;
  if (await succeeds(join(folder, 'bin', command), args)) return join(folder, 'bin');
  say?.('installing into a separate Python environment');
  await rm(cacheFolder, { recursive: true, force: true });
  await mkdir(cacheFolder, { recursive: true });
  if (!(await succeeds('python3', ['-m', 'venv', folder]))) {
    throw new Error('python3 -m venv failed: install Python 3.10 or newer with venv (Debian: python3-venv).');
  }
  const pip = ['install', '-q', '--disable-pip-version-check', '-r', requirements];
  if (!(await succeeds(join(folder, 'bin/pip'), pip, 'inherit'))) throw new Error('pip failed; see the lines above.');
  return join(folder, 'bin');
}
