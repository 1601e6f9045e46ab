import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the configuration and the pinned requirements. */
export const configurationFolder = fileURLToPath(new URL('../../schemathesis', import.meta.url));

const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/schemathesis', import.meta.url));

/**
 * Installs schemathesis into a Python environment, once per set of requirements, and resolves with the path of `st`.
 * Throws with a remedy if Python cannot create the environment.
 */
export async function installSchemathesis(say: (text: string) => void): Promise<string> {
  const requirements = join(configurationFolder, 'requirements.txt');
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder, digest);
  const command = join(folder, 'bin/st');
  // An incomplete installation has no working command.
  if (await runs(command, ['--version'])) return command;
  say('installing into a separate Python environment');
  await rm(cacheFolder, { recursive: true, force: true });
  await mkdir(cacheFolder, { recursive: true });
  if (!(await runs('python3', ['-m', 'venv', folder]))) {
    throw new Error('python3 -m venv failed: install Python 3.10 or newer with venv (Debian: python3-venv).');
  }
  const pip = [join(folder, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', '-r', requirements]] as const;
  if (!(await runs(...pip, 'inherit'))) throw new Error('pip failed; see the lines above.');
  return command;
}

async function runs(
  program: string,
  args: readonly string[],
  output: 'ignore' | 'inherit' = 'ignore',
): Promise<boolean> {
  const child = spawn(program, args, { stdio: ['ignore', output, output] });
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return exitCode === 0;
  } catch {
    return false;
  }
}
