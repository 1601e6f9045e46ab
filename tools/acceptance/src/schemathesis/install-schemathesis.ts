import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where its configuration and its pinned requirements are. */
export const configurationFolder = fileURLToPath(new URL('../../schemathesis', import.meta.url));

const keptIn = fileURLToPath(new URL('../../node_modules/.cache/schemathesis', import.meta.url));

/**
 * Resolves with the path of the `st` command, in a Python environment of its own that is made once for each set of
 * requirements. Throws with what to do where Python cannot make one.
 */
export async function installSchemathesis(say: (text: string) => void): Promise<string> {
  const requirements = join(configurationFolder, 'requirements.txt');
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(keptIn, digest);
  const command = join(folder, 'bin/st');
  // What failed half-way has no command that runs.
  if (await runs(command, ['--version'])) return command;
  say('installing it into a Python environment of its own');
  await rm(keptIn, { recursive: true, force: true });
  await mkdir(keptIn, { recursive: true });
  if (!(await runs('python3', ['-m', 'venv', folder]))) {
    throw new Error('python3 -m venv has failed: install Python 3.10 or newer and its venv (Debian: python3-venv).');
  }
  const pip = [join(folder, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', '-r', requirements]] as const;
  if (!(await runs(...pip, 'inherit'))) throw new Error('pip has failed; the lines above say why.');
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
