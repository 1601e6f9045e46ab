import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { host } from './ports.mjs';
import { waitUntilReady } from './readiness.mjs';
import { root, StartFault } from './workspace.mjs';

/** Which package runs as which server. @type {Readonly<Record<string, string>>} */
const serverOfPackage = {
  rostergate: 'gateway',
  '@rostergate/staff-proxy': 'staff-proxy',
  '@rostergate/scheduling': 'scheduling',
};
const readyWithinMs = 60_000;
const bootLinesMax = 400;

/**
 * Runs `turbo run dev` for the three servers. Their output is kept back until they are ready: it matters only when one
 * does not come up.
 * @param {{ env: NodeJS.ProcessEnv, ports: import('./ports.mjs').Ports, write: (text: string) => void }} options
 */
export function runDevServers({ env, ports, write }) {
  const filters = Object.keys(serverOfPackage).map((name) => `--filter=${name}`);
  const turbo = spawn(join(root, 'node_modules/.bin/turbo'), ['run', 'dev', '--ui=stream', ...filters], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches us alone, and the servers get one signal, not three.
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
      if (!bootLines) write(toText(line));
      else if (bootLines.push(line) > bootLinesMax) bootLines.shift();
    });
  }
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    turbo.once('error', () => resolve());
    turbo.once('close', () => resolve());
    // Killed, it leaves tasks behind that hold its pipes open: what was said is read, and no more is waited for.
    turbo.once('exit', () => setTimeout(resolve, 500));
  });

  /** @param {readonly string[]} servers what they said while starting */
  const said = (servers) =>
    (bootLines ?? [])
      .filter((line) => servers.includes(line.server ?? ''))
      .map(toText)
      .join('');

  return {
    /** Resolves once all three answer; rejects with what a server said that did not come up. */
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
        throw new StartFault(`${said(servers)}${servers.join(', ')} ended while starting; the lines above say why.`);
      });
      try {
        await Promise.race([Promise.all(waits), end]);
      } catch (error) {
        if (!isLate) throw error;
        const servers = [...late];
        throw new StartFault(
          `${said(servers)}${servers.join(', ')} did not get ready within ${readyWithinMs / 1_000} s; the lines above are what was said.`,
        );
      } finally {
        clearTimeout(deadline);
        over.abort();
        for (const wait of waits) wait.catch(() => {});
        end.catch(() => {});
      }
    },
    /** From here on the servers' output is passed on. */
    showOutput() {
      bootLines = undefined;
    },
    /** Resolves with the names of the servers that failed, when all have ended. */
    async end() {
      await ended;
      return [...failed];
    },
  };
}

/** Leaves out what turbo and pnpm say of themselves. @param {string} raw */
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
