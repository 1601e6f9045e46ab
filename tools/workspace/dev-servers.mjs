import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatLogLine } from './log-lines.mjs';
import { host } from './ports.mjs';
import { root, StartFault } from './workspace.mjs';

/** The server that each package runs. @type {Readonly<Record<string, string>>} */
const serverOfPackage = {
  rostergate: 'gateway',
  '@rostergate/staff-proxy': 'staff-proxy',
  '@rostergate/scheduling': 'scheduling',
};
const readyWithinMs = 60_000;
const bootLinesMax = 400;

/**
 * Runs `turbo run dev` for the three servers. Their output is buffered until they are ready, and shown earlier only when one
 * of them fails to start.
 * @param {{
 *   env: NodeJS.ProcessEnv, ports: import('./ports.mjs').Ports, write: (text: string) => void, isTerminal: boolean,
 * }} options
 */
export function runDevServers({ env, ports, write, isTerminal }) {
  const filters = Object.keys(serverOfPackage).map((name) => `--filter=${name}`);
  const turbo = spawn(join(root, 'node_modules/.bin/turbo'), ['run', 'dev', '--ui=stream', ...filters], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches only this process, and each server gets one signal.
    detached: true,
  });
  /** @type {{ server: string | undefined, text: string }[] | undefined} */
  let bootLines = [];
  /** @type {Set<string>} */
  const failed = new Set();
  for (const stream of [turbo.stdout, turbo.stderr]) {
    createInterface({ input: stream }).on('line', (raw) => {
      const failure = /^(\S+)#dev:\s+ERROR/.exec(raw)?.[1];
      if (failure) failed.add(serverOfPackage[failure] ?? failure);
      const line = parseLine(raw);
      if (!line) return;
      if (!bootLines) {
        const text = formatLogLine(line.text, { isTerminal });
        if (text !== undefined) write(toText({ ...line, text }));
      } else if (bootLines.push(line) > bootLinesMax) bootLines.shift();
    });
  }
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    turbo.once('error', () => resolve());
    turbo.once('close', () => resolve());
    // A killed turbo leaves tasks that hold its pipes open: read what is there and do not wait for the rest.
    turbo.once('exit', () => setTimeout(resolve, 500));
  });

  /** Returns the output of some servers while they started. @param {readonly string[]} servers */
  const bootOutput = (servers) =>
    (bootLines ?? [])
      .filter((line) => servers.includes(line.server ?? ''))
      .map(toText)
      .join('');

  return {
    /** Resolves when all three are ready; rejects with the output of a server that did not start. */
    async ready() {
      const late = new Set(/** @type {import('./ports.mjs').ServerName[]} */ (Object.keys(ports)));
      const over = new AbortController();
      let isLate = false;
      const deadline = setTimeout(() => {
        isLate = true;
        over.abort();
      }, readyWithinMs);
      const waits = [...late].map(async (name) => {
        await waitUntilReady({ host, port: ports[name], signal: over.signal });
        late.delete(name);
      });
      const end = ended.then(() => {
        const servers = failed.size > 0 ? [...failed] : [...late];
        throw new StartFault(`${bootOutput(servers)}${servers.join(', ')} ended while starting; see the lines above.`);
      });
      try {
        await Promise.race([Promise.all(waits), end]);
      } catch (error) {
        if (!isLate) throw error;
        const servers = [...late];
        throw new StartFault(
          `${bootOutput(servers)}${servers.join(', ')} did not become ready within ${readyWithinMs / 1_000} s; see the lines above.`,
        );
      } finally {
        clearTimeout(deadline);
        over.abort();
        for (const wait of waits) wait.catch(() => {});
        end.catch(() => {});
      }
    },
    /** Shows the output of the servers from now on. */
    showOutput() {
      bootLines = undefined;
    },
    /** Resolves with the names of the failed servers when all have ended. */
    async end() {
      await ended;
      return [...failed];
    },
  };
}

/** Drops the lines of turbo and pnpm themselves. @param {string} raw */
function parseLine(raw) {
  const match = /^(\S+):dev: ?(.*)$/.exec(raw);
  const name = match?.[1];
  const text = match?.[2];
  if (name === undefined || text === undefined) return undefined;
  if (/^(cache bypass|\$ |\.\.\/\.\.\/\.local\/|\[ELIFECYCLE\])/.test(text)) return undefined;
  return { server: serverOfPackage[name], text };
}

/** @param {{ server: string | undefined, text: string }} line */
function toText({ server = 'turbo', text }) {
  return `${server.padEnd(11)} ${text}\n`;
}

/**
 * Waits until GET /health/ready of a server is 200.
 * @param {{ host: string, port: number, signal: AbortSignal, pollMs?: number }} options rejects when `signal` aborts
 */
async function waitUntilReady({ host, port, signal, pollMs = 150 }) {
  while (!(await isReady(host, port))) await sleep(pollMs, undefined, { signal });
}

/** @param {string} host @param {number} port @returns {Promise<boolean>} */
function isReady(host, port) {
  return new Promise((resolve) => {
    const request = get({ host, port, path: '/health/ready', agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
