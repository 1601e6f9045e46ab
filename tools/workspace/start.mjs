import { join, relative, resolve } from 'node:path';
import { loadDemoCredentials } from './demo-credentials.mjs';
import { runDevServers } from './dev-servers.mjs';
import { install } from './install.mjs';
import { checkPortsFree, host, parsePorts } from './ports.mjs';
import { createProcessTree } from './process-tree.mjs';
import { showProgress } from './progress.mjs';
import { createSummary } from './summary.mjs';
import { createWorkspaceEnv, reportFault, root, StartFault } from './workspace.mjs';

/** The servers drain for 5 s; npm start ends within 10. */
const graceMs = 8_000;

const tree = createProcessTree(process.pid);
// The servers are known even after turbo is killed.
setInterval(tree.look, 1_000).unref();
const fault = await Promise.race([watchForStop(), start().catch((error) => error)]);
const exitCode = fault ? reportFault(fault) : 0;
await tree.end({ graceMs });
process.exit(exitCode);

/** Runs the servers until a signal; never resolves. @returns {Promise<never>} */
async function start() {
  const { ROSTERGATE_LOCAL_DIR, ...env } = process.env;
  const local = resolve(root, ROSTERGATE_LOCAL_DIR || '.local');
  const ports = parsePorts(env);
  await checkPortsFree(ports);
  const progress = {
    write: (/** @type {string} */ text) => void process.stderr.write(text),
    isTerminal: Boolean(process.stderr.isTTY),
  };
  await install({ root, env, ...progress });
  // Databases contain personal data, too.
  process.umask(0o077);
  const demo = await loadDemoCredentials(local);
  const write = (/** @type {string} */ text) => void process.stdout.write(text);
  const servers = runDevServers({
    ports,
    write,
    isTerminal: Boolean(process.stdout.isTTY),
    // The user's own ROSTERGATE_… settings win over those of the demo, except for the ports.
    env: { ...createWorkspaceEnv({ ...demo.env, ...env }), ...createPortEnv(ports) },
  });
  const stopProgress = showProgress({
    text: 'Starting the gateway, the staff proxy and the scheduling API',
    ...progress,
  });
  await servers.ready().finally(stopProgress);
  const isColoured = Boolean(process.stdout.isTTY) && !env.NO_COLOR;
  const demoFile = join(local, 'demo.env');
  const shown = demoFile.startsWith(root) ? relative(process.cwd(), demoFile) : demoFile;
  write(
    createSummary({
      ports,
      demoFile: shown.includes('/') ? shown : `./${shown}`,
      credentials: demo.credentials,
      isColoured,
    }),
  );
  servers.showOutput();
  const failed = await servers.end();
  throw new StartFault(`${failed.join(', ') || 'turbo'} ended, so the other servers are stopped.`);
}

/** @param {import('./ports.mjs').Ports} ports */
function createPortEnv(ports) {
  return {
    ROSTERGATE_HOST: host,
    ROSTERGATE_PORT: String(ports.gateway),
    STAFF_PROXY_ADDRESS: `${host}:${ports['staff-proxy']}`,
    ROSTERGATE_PROXY_HOST: host,
    ROSTERGATE_PROXY_PORT: String(ports['staff-proxy']),
    ROSTERGATE_PROXY_UPSTREAM_URL: `http://${host}:${ports.scheduling}`,
    ROSTERGATE_SCHEDULING_HOST: host,
    ROSTERGATE_SCHEDULING_PORT: String(ports.scheduling),
  };
}

/**
 * Resolves at the first signal to stop. Later signals change nothing: npm repeats the signal of the terminal.
 * @returns {Promise<void>}
 */
function watchForStop() {
  return new Promise((resolve) => {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => resolve());
    // The reader of the output may end first.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    // A killed npm sends no signal.
    const parent = process.ppid;
    if (process.env.npm_lifecycle_event) {
      setInterval(() => process.ppid === parent || resolve(), 500).unref();
    }
  });
}
