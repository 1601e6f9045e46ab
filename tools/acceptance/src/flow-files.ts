import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { logIn } from './promises/ask-as.ts';
import { goodKey, spawnGateway } from './spawn-gateway.ts';
import { spawnProxy } from './spawn-proxy.ts';
import { spawnScheduling } from './spawn-scheduling.ts';

/**
 * Prints how many files of the project run code for one request, one list, one proxied list and one edit. A file counts
 * when one of its functions runs that does not run in an idle server. The edit ends when it is live: the request that
 * proves it is sent afterwards, and its files are those of the first flow.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ends: (() => unknown)[] = [];

interface FlowServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  output(): string;
}

/** The source files of which some function runs during the flow and the work that follows it. */
async function filesOf(server: FlowServer, flow: () => Promise<unknown>): Promise<string[]> {
  const session = await openSession(server.output());
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const functionsRun = async () => functionsOf((await session.send('Profiler.takePreciseCoverage')) as Coverage);
  const nextInterval = () => delay(intervalMs).then(functionsRun);

  // Work of earlier requests has ended when two intervals run the same functions.
  let idle = await nextInterval();
  for (let before: string[] = []; before.join() !== idle.join(); ) [before, idle] = [idle, await nextInterval()];
  await flow();
  const run: string[] = [];
  const addNew = (functions: string[]) => run.push(...functions.filter((each) => !idle.includes(each)));
  addNew(await functionsRun());
  for (let before = -1; before < run.length; addNew(await nextInterval())) before = run.length;
  session.close();
  return [...new Set(run.map((each) => each.slice(0, each.indexOf('#'))))].sort();
}

/** Longer than the interval in which files are looked at for edits. */
const intervalMs = 1_000;

/** The functions of the project that ran, as `file#offset`. */
function functionsOf({ result }: Coverage): string[] {
  return result.flatMap(({ url, functions }) => {
    const file = url.startsWith('file://') ? fileURLToPath(url) : '';
    if (!file.startsWith(root) || file.includes('/node_modules/')) return [];
    return functions
      .filter(({ functionName, ranges: [{ count }] }) => functionName !== '' && count > 0)
      .map(({ ranges: [{ startOffset }] }) => `${file.slice(root.length)}#${startOffset}`);
  });
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly [{ readonly startOffset: number; readonly count: number }];
    }[];
  }[];
}

async function openSession(output: string) {
  const [address] = /ws:\/\/\S+/.exec(output) ?? [];
  if (address === undefined) throw new Error(`The server has no inspector:\n${output}`);
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let last = 0;
  const pending = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    pending.get(id)?.(result);
  };
  return {
    send: (method: string, params: object = {}) =>
      new Promise((resolve) => {
        const id = ++last;
        pending.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}

const hello = `import { defineService, z } from 'rostergate';
const parameters = z.object({ name: z.string(), note: z.string().optional() });
export default defineService({ name: 'hello', summary: 'x', parameters, response: parameters, handle: (given) => given });
`;

const report: string[] = [];

function add(name: string, files: readonly string[]): void {
  report.push(`${String(files.length).padStart(4)}  ${name}`);
  if (process.argv.includes('--files')) report.push(...files.map((file) => `        ${file}`));
}

try {
  const atEnd = (end: () => unknown) => void ends.unshift(end);
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-flows-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { credentials, env } = await loadDemoCredentials(folder);
  const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };
  const spawned = await spawnScheduling({ ...env, ...inspected });
  atEnd(spawned.stop);
  const { SCHEDULING_ADMIN_EMAIL: email, SCHEDULING_ADMIN_PASSWORD: password, COMPANY_KEY: company_key } = credentials;
  const scheduling = { ...spawned, headers: await logIn(spawned.url, email, password) };
  const proxy = {
    ...(await spawnProxy(
      {
        // Of the responses of an operation, the first and every n-th is checked; here each is.
        settings: { upstream_url: spawned.url, validate_sample_every: 1 },
        keysFile: { accounts: { admin: { email, password, company_key, admin: true } } },
        env: { ROSTERGATE_PROXY_KEYS_FILE: env.ROSTERGATE_PROXY_KEYS_FILE as string, ...inspected },
      },
      atEnd,
    )),
    headers: { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY },
  };
  const endpoint = { path: '/api/hello/{name}', method: 'GET', service: 'hello' };
  const gateway = {
    ...(await spawnGateway({ endpoints: [endpoint], files: { 'services/hello.ts': hello }, env: inspected }, atEnd)),
    headers: { 'X-API-Key': goodKey },
  };
  const get = async ({ url, headers }: FlowServer, path: string, status = 200) => {
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${path} is ${response.status}.`);
  };
  const list = (top: number) => `/v2/staffmember?companyKey=${credentials.COMPANY_KEY}&$top=${top}`;
  const flows: [string, FlowServer, (path: (n: number) => string) => Promise<unknown>, (n: number) => string][] = [
    ['request to a service', gateway, (path) => get(gateway, path(2)), (n) => `/api/hello/x?note=${n}`],
    ['list read', scheduling, (path) => get(scheduling, path(2)), list],
    ['proxied list read', proxy, (path) => get(proxy, path(3)), list],
  ];
  const edit = async () => {
    await gateway.write('endpoints.json', { endpoints: [endpoint, { ...endpoint, path: '/api/hello/{name}/new' }] });
    await gateway.logged(({ msg }) => msg === 'configuration applied');
  };
  for (const [name, server, flow, path] of flows) {
    for (let n = 0; n < 3; n++) await get(server, path(n + 10));
    add(name, await filesOf(server, () => flow(path)));
  }
  add('edit of endpoints.json until it is live', await filesOf(gateway, edit));
  await get(gateway, '/api/hello/x/new');
} finally {
  for (const end of ends) await end();
}
process.stdout.write(`Files of which a function runs that an idle server does not run, for one
${report.join('\n')}
A request that proves that an edit is live counts as a request alone.
`);
process.exit();
