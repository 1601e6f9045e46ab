import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFault } from './workspace.mjs';

/**
 * Installs the workspace when it never was, or when the lockfile is another one since. Quiet: the log is shown only
 * when something other than the network is wrong.
 * @param {{ root: string, env: NodeJS.ProcessEnv, write?: (text: string) => void, isTerminal?: boolean }} options
 */
export async function install({ root, env, write = (text) => process.stderr.write(text), isTerminal = false }) {
  const stampFile = join(root, 'node_modules/.installed');
  const stamp = await createStamp(root);
  if ((await readOrNothing(stampFile)) === stamp) return;
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const stopProgress = showProgress(write, isTerminal);
  const { code, log } = await run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], { cwd: root, env });
  stopProgress();
  if (code !== 0) throw new StartFault(describeFailure(log));
  await writeFile(stampFile, stamp);
}

/** One line when the network is missing, else the end of the log. @param {string} log */
export function describeFailure(log) {
  const isOffline =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b|error sending request|dns error|network (is unreachable|request)/i;
  // pnpm breaks its lines at 80 columns.
  if (isOffline.test(log.replace(/\s+/g, ' '))) {
    return 'Rostergate could not reach the npm registry: the first start needs the network. Connect it and run the command again.';
  }
  const lines = log.trimEnd().split('\n');
  const tail = lines
    .filter((line) => !line.startsWith('npm warn'))
    .slice(-20)
    .join('\n');
  return `${tail}\nInstalling the packages failed; the log above ends with the reason.`;
}

/** @param {string} prefix @returns {Record<string, string>} */
function createRetryEnv(prefix) {
  return {
    [`${prefix}_fetch_retries`]: '1',
    [`${prefix}_fetch_retry_mintimeout`]: '1000',
    [`${prefix}_fetch_retry_maxtimeout`]: '2000',
  };
}

/** What decides whether an installation is still the right one. @param {string} root */
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
    // Never a question, where nobody may be there to answer; and without a network, no minutes of hope.
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

/** @param {(text: string) => void} write @param {boolean} isTerminal @returns {() => void} ends it */
function showProgress(write, isTerminal) {
  const text = 'Installing the packages';
  if (!isTerminal) {
    write(`${text} (only when they changed) …\n`);
    return () => {};
  }
  const startedMs = Date.now();
  const show = () => write(`\r${text} … ${Math.round((Date.now() - startedMs) / 1000)} s`);
  show();
  const timer = setInterval(show, 500);
  return () => {
    clearInterval(timer);
    write('\r\x1b[K');
  };
}
