import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { showProgress } from './progress.mjs';
import { StartFault } from './workspace.mjs';

/**
 * Installs the packages on the first run and after a change of the lockfile. The log is shown only when the installation
 * fails for another reason than the network.
 * @param {{ root: string, env: NodeJS.ProcessEnv, write?: (text: string) => void, isTerminal?: boolean }} options
 */
export async function install({ root, env, write = (text) => process.stderr.write(text), isTerminal = false }) {
  const stampFile = join(root, 'node_modules/.installed');
  const stamp = await createStamp(root);
  if ((await readOrNothing(stampFile)) === stamp) return;
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const stopProgress = showProgress({
    text: 'Installing the packages (on the first run and after updates, about a minute)',
    ...{ write, isTerminal },
  });
  const { code, log } = await run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], { cwd: root, env });
  stopProgress();
  if (code !== 0) throw new StartFault(describeFailure(log));
  await writeFile(stampFile, stamp);
}

/** Returns one line when the network is missing, otherwise the end of the log. @param {string} log */
export function describeFailure(log) {
  const isOffline =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b|error sending request|dns error|network (is unreachable|request)/i;
  // pnpm breaks its lines at 80 columns.
  if (isOffline.test(log.replace(/\s+/g, ' '))) {
    return 'The npm registry is unreachable, and the first start needs it. Connect to the network and run the command again.';
  }
  const lines = log.trimEnd().split('\n');
  const tail = lines
    .filter((line) => !line.startsWith('npm warn'))
    .slice(-20)
    .join('\n');
  return `${tail}\nInstalling the packages failed; see the end of the log above.`;
}

/** @param {string} prefix @returns {Record<string, string>} */
function createRetryEnv(prefix) {
  return {
    [`${prefix}_fetch_retries`]: '1',
    [`${prefix}_fetch_retry_mintimeout`]: '1000',
    [`${prefix}_fetch_retry_maxtimeout`]: '2000',
  };
}

/** Returns a digest that changes when the packages must be installed again. @param {string} root */
async function createStamp(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(await readFile(join(root, file)));
  return hash.digest('hex');
}

/** @param {string} file */
async function readOrNothing(file) {
  return readFile(file, 'utf8').catch(() => undefined);
}

/**
 * @param {string} command @param {string[]} args @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, log: string }>}
 */
function run(command, args, { cwd, env }) {
  return new Promise((resolve) => {
    // CI prevents prompts; fewer retries fail quickly without a network.
    const quietly = { CI: 'true', ...createRetryEnv('npm_config'), ...createRetryEnv('pnpm_config') };
    const child = spawn(command, args, { cwd, env: { ...env, ...quietly }, stdio: ['ignore', 'pipe', 'pipe'] });
    const bytesMax = 65_536;
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        log = (log + text).slice(-bytesMax);
      });
    }
    child.once('error', (error) => resolve({ code: 1, log: String(error) }));
    child.once('close', (code) => resolve({ code: code ?? 1, log }));
  });
}
