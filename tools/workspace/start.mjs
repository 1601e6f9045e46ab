import { join, relative, resolve } from 'node:path';
import { loadDemoCredentials } from './demo-credentials.mjs';
import { runDevServers } from './dev-servers.mjs';
import { install } from './install.mjs';
import { checkPortsFree, host, parsePorts } from './ports.mjs';
import { createProcessTree } from './process-tree.mjs';
import { createSummary } from './summary.mjs';
import { createWorkspaceEnv, reportFault, root, StartFault } from './workspace.mjs';

/** The servers drain for 5 s; whoever waits for us is promised 10. */
const graceMs = 8_000;

const tree = createProcessTree(process.pid);
// Whatever ends turbo in the meantime, its servers are known.
setInterval(tree.look, 1_000).unref();
const fault = await Promise.race([watchForStop(), start().catch((error) => error)]);
const exitCode = fault ? reportFault(fault) : 0;
await tree.end({ graceMs });
process.exit(exitCode);

/** Resolves never: the servers run until somebody ends us. @returns {Promise<never>} */
async function start() {
  const { ROSTERGATE_LOCAL_DIR, ...env } = process.env;
  const local = resolve(root, ROSTERGATE_LOCAL_DIR || '.local');
  const ports = parsePorts(env);
  await checkPortsFree(ports);
  await install({ root, env, isTerminal: Boolean(process.stderr.isTTY) });
  // Databases hold what is nobody else's business, too.
  process.umask(0o077);
  const demo = await loadDemoCredentials(local);
  const write = (/** @type {string} */ text) => void process.stdout.write(text);
  const servers = runDevServers({
    ports,
    write,
    // A person's own ROSTERGATE_… settings win over the demo's; the ports are ours to hand out.
    env: { ...createWorkspaceEnv({ ...demo.env, ...env }), ...createPortEnv(ports) },
  });
  await servers.ready();
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
  throw new StartFault(`${failed.join(', ') || 'turbo'} ended, so the others are ended too.`);
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
 * Resolves when somebody wants us to end. A second signal changes nothing: npm passes on what the
 * terminal has already sent.
 * @returns {Promise<void>}
 */
function watchForStop() {
  return new Promise((resolve) => {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => resolve());
    // Whoever reads our output may be gone before we are.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    // An npm that is killed cannot tell us.
    const parent = process.ppid;
    if (process.env.npm_lifecycle_event) {
      setInterval(() => process.ppid === parent || resolve(), 500).unref();
    }
  });
}
