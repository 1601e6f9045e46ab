import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyDigest } from '@rostergate/access/keys';
import { toFigure } from '../../benchmark/src/figure.ts';
import { loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { pickFreePorts } from '../../workspace/free-ports.ts';
import type { AtEnd } from '../src/at-end.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askAs, logIn } from '../src/promises/ask-as.ts';
import { tryBrokenConfigurations } from '../src/promises/broken-configurations.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { createFindSecrets } from '../src/promises/find-secrets.ts';
import { askRaw } from '../src/promises/raw-lane.ts';
import { type Respond, respondJson, startRecordingUpstream } from '../src/promises/recording-upstream.ts';
import {
  badUses,
  createCanary,
  goodUses,
  type Use,
  type UsedRoute,
  usesAtLogin,
} from '../src/promises/uses-of-a-key.ts';
import { type ServerProcess, spawnServer } from '../src/server-process.ts';
import { serverPrograms } from '../src/server-programs.ts';
import { makeGatewayFolder } from '../src/spawn-gateway.ts';
import { makeProxyFolder } from '../src/spawn-proxy.ts';
import { portVariables, type ServerName } from '../src/start-server.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** A text that is searched for secrets. */
interface Haystack {
  readonly name: string;
  readonly text: string;
}

interface Needle {
  /** Where the secret was put. */
  readonly place: string;
  readonly secret: string;
  /** Prefixes of the names of haystacks that may contain the secret. */
  readonly mayBeIn: readonly string[];
}

export const promise = definePromise({
  number: 19,
  title: 'Keys never reach an upstream, a log, a metric or an error',
  done: 'Keys, passwords and tokens are put in every place of a request and of an invalid configuration, at every log level, with traces; then everything that was written is searched for them',
  target: '0 hits',
  async run({ byScale, atEnd, say }) {
    const hits: string[] = [];
    let [needles, bytes] = [0, 0];
    for (const level of levels.slice(0, byScale({ ci: 1, full: levels.length }))) {
      const found = await tryLevel(level, atEnd);
      needles += found.needles;
      bytes += found.bytes;
      hits.push(...found.hits.map((hit) => `${level}: ${hit}`));
      say(`${level}: ${found.hits.length} hits of ${found.needles} secrets in ${found.bytes} bytes`);
    }
    const outputs = await tryBrokenConfigurations(byScale({ ci: 7, full: 1 }));
    for (const { name, secret, text } of outputs) {
      needles++;
      bytes += text.length;
      if (text === '') hits.push(`${name} has no output`);
      hits.push(...search([{ name, text }], [{ place: 'configuration', secret, mayBeIn: [] }]));
    }
    say(`${outputs.length} invalid configurations`);
    return [
      toFigure({ name: 'hits', unit: '', max: 0 }, hits.length, hits.slice(0, 5).join('; ')),
      toFigure({ name: 'secrets', unit: '', min: byScale({ ci: 500, full: 4_000 }) }, needles),
      toFigure({ name: 'of output searched', unit: 'MB', min: 0.5 }, bytes / 1e6),
    ];
  },
});

function search(haystacks: readonly Haystack[], needles: readonly Needle[]): string[] {
  const find = createFindSecrets(new Set(needles.map(({ secret }) => secret)));
  return haystacks.flatMap(({ name, text }) => {
    const found = find(text);
    return needles
      .filter(({ secret, mayBeIn }) => found.has(secret) && !mayBeIn.some((start) => name.startsWith(start)))
      .map(({ place }) => `${place} is in ${name}`);
  });
}

async function tryLevel(level: string, atEnd: AtEnd) {
  const collector = await startRecordingUpstream(atEnd, respondJson(200, {}));
  const upstream = await startRecordingUpstream(atEnd, createFailingUpstream());
  const started = await startAllServers(level, upstream.url, collector.url, atEnd);
  const { servers, credentials } = started;
  const needles: Needle[] = started.secrets.map((one) => ({ ...one }));
  const haystacks: Haystack[] = [];

  const schedulingToken = await logIn(
    servers.scheduling.url,
    credentials.SCHEDULING_ADMIN_EMAIL,
    credentials.SCHEDULING_ADMIN_PASSWORD,
  );
  const proxyToken = await logIn(servers['staff-proxy'].url, 'admin', credentials.STAFF_PROXY_ADMIN_KEY);
  const bare = ({ Authorization }: { readonly Authorization: string }) => Authorization.slice('Bearer '.length);
  const good: Readonly<Record<ServerName, readonly string[]>> = {
    gateway: [credentials.GATEWAY_KEY, started.plainKey],
    'staff-proxy': [credentials.STAFF_PROXY_ADMIN_KEY, bare(proxyToken)],
    scheduling: [bare(schedulingToken)],
  };
  for (const [name, { url }] of Object.entries(servers) as [ServerName, { url: string }][]) {
    const { host } = new URL(url);
    const uses: Use[] = routes[name].flatMap((route) => [
      // Often enough that the upstream has failed in all ways.
      ...good[name].flatMap((secret) => [
        ...goodUses(route, host, secret),
        ...goodUses(route, host, secret),
        ...badUses(route, host, secret),
      ]),
      ...badUses(route, host),
    ]);
    if (name !== 'gateway') uses.push(...usesAtLogin(host));
    let responses = '';
    await askRaw(
      url,
      uses.map((use) => ({ ...use.request, use })),
      (_, { head, body }) => {
        responses += `${head}\n${body}\n`;
      },
      8,
    );
    haystacks.push({ name: `responses of ${name}`, text: responses });
    needles.push(...good[name].map((secret) => ({ place: `a valid credential at ${name}`, secret, mayBeIn: [] })));
    needles.push(
      ...uses
        .filter(({ secret }) => !good[name].includes(secret))
        .map(({ place, secret, isReturned, request }) => ({
          place: `${place} on ${request.method} ${request.target.slice(0, 40)} at ${name}`,
          secret,
          mayBeIn: isReturned ? [`responses of ${name}`, 'the upstream'] : [],
        })),
    );
    for (const [path, accept] of [
      ['/metrics', 'text/plain'],
      ['/metrics', 'application/json'],
      ['/health/ready', '*/*'],
      ['/openapi.json', '*/*'],
    ] as const) {
      const text = await (await fetch(url + path, { headers: { Accept: accept } })).text();
      haystacks.push({ name: `${path} of ${name}`, text });
    }
    for (const pid of await processesOf(servers[name].child.pid as number)) {
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      haystacks.push({
        name: `the command line of ${name}`,
        text: `${text} ${await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')}`,
      });
    }
  }
  for (const server of Object.values(servers)) await server.stop();
  for (const [name, server] of Object.entries(servers))
    haystacks.push({ name: `the log of ${name}`, text: server.output() });
  haystacks.push({ name: 'traces', text: JSON.stringify(collector.take()) });
  haystacks.push({ name: 'the upstream', text: JSON.stringify(upstream.take()) });
  for (const folder of started.folders) haystacks.push(...(await filesIn(folder)));
  // Every haystack must have content.
  for (const { name, text } of haystacks) {
    const isQuiet = name.startsWith('the log') && levels.indexOf(level) !== 0;
    if (text.length < 10 && !isQuiet && !name.startsWith('the file')) throw new Error(`${name} is empty.`);
  }
  const bytes = haystacks.reduce((sum, { text }) => sum + text.length, 0);
  return { hits: search(haystacks, needles), needles: needles.length, bytes };
}

const people = '/v2/staffmember';
const person = { StaffId: 'never-stored', Unknown: 1 };
const staffRoutes: readonly UsedRoute[] = [
  { method: 'GET', path: people },
  { method: 'GET', path: `${people}/x` },
  { method: 'POST', path: people, body: JSON.stringify(person) },
  { method: 'DELETE', path: `${people}/x/payModifier/x` },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/nowhere' },
];
const routes: Readonly<Record<ServerName, readonly UsedRoute[]>> = {
  gateway: [
    { method: 'GET', path: '/auth/status' },
    { method: 'GET', path: '/auth/validate' },
    { method: 'POST', path: '/echo', body: '{"a":1}' },
    { method: 'GET', path: '/upstream/x' },
    { method: 'POST', path: '/upstream/x', body: '{"a":1}' },
    { method: 'GET', path: '/open' },
    { method: 'GET', path: '/health' },
    { method: 'PATCH', path: '/auth/status' },
    { method: 'GET', path: '/nowhere' },
  ],
  'staff-proxy': staffRoutes,
  scheduling: staffRoutes,
};

/** Returns an upstream that accepts every login, and otherwise fails in each way in turn. */
function createFailingUpstream(): Respond {
  const ways: readonly Respond[] = [
    respondJson(500, { error: 'broken' }),
    (res) => res.socket?.resetAndDestroy(),
    (res) => res.socket?.end('This is not HTTP.\r\n\r\n'),
    (res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('[');
      setImmediate(() => res.socket?.destroy());
    },
    (res) => res.writeHead(302, { Location: 'http://127.0.0.1:9/elsewhere' }).end(),
    respondJson(401, { error: 'access_denied' }),
    () => undefined,
  ];
  let n = 0;
  return (res, request, req) => {
    if (request.url.startsWith('/health')) return respondJson(200, { status: 'alive' })(res, request, req);
    if (request.url === '/v2/login') {
      return respondJson(200, { access_token: `of-the-upstream-${n}`, token_type: 'bearer', expires_in: '3600' })(
        res,
        request,
        req,
      );
    }
    n++;
    // Most responses succeed, because an upstream that always fails gets no requests.
    const respond = n % 4 === 0 ? (ways[(n / 4) % ways.length] as Respond) : respondJson(200, []);
    return respond(res, request, req);
  };
}

/** Starts the three servers with secrets in every place for one. */
async function startAllServers(level: string, upstream: string, collector: string, atEnd: AtEnd) {
  const scheduling = await makeGatewayFolder({}, atEnd);
  const { credentials, env } = await loadDemoCredentials(join(scheduling, 'credentials'));
  await mkdir(join(scheduling, 'data'));
  const [plainKey, upstreamKey, redisPassword] = [createCanary(), createCanary(), createCanary()];
  const forwarding = { service: 'http', requires_auth: true };
  const target = { targets: [upstream], headers: { 'X-API-Key': '${UPSTREAM_KEY}' }, timeout_ms: 300, retries: 1 };
  const gateway = await makeGatewayFolder(
    {
      settings: {
        api_keys: `${plainKey}, sha256:${keyDigest(credentials.GATEWAY_KEY)}`,
        redis_url: `redis://:${redisPassword}@127.0.0.1:9`,
        rate_limit_enabled: true,
        rate_limit_per_minute: 1_000_000,
        rate_limit_per_minute_authenticated: 1_000_000,
        log_level: level,
      },
      endpoints: [
        { path: '/open', service: 'static', parameters: { answer: 'open' } },
        { path: '/echo', method: 'POST', service: 'echo', requires_auth: true },
        { path: '/upstream/{name}', ...forwarding, upstream: target },
        { path: '/upstream/{name}', method: 'POST', ...forwarding, upstream: target },
      ],
    },
    atEnd,
  );
  const keysFile = JSON.parse(await readFile(env.ROSTERGATE_PROXY_KEYS_FILE as string, 'utf8'));
  const proxy = await makeProxyFolder(
    { keysFile, settings: { upstream_url: upstream, upstream_timeout_ms: 300, upstream_retries: 1, log_level: level } },
    atEnd,
  );
  const [gatewayPort, proxyPort, schedulingPort] = await pickFreePorts(3);
  const traced = {
    OTEL_TRACES_EXPORTER: 'otlp,console',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  const start = async (name: ServerName, port: number, cwd: string, more: Readonly<Record<string, string>>) => {
    const process = spawnServer({
      program: serverPrograms[name].file,
      args: ['serve'],
      cwd,
      env: { ...traced, TMPDIR: cwd, [portVariables[name]]: String(port), ...more },
    });
    atEnd(process.stop);
    const url = `http://127.0.0.1:${port}`;
    const isAlive = () =>
      askAs(
        url,
        {},
      )('/health/live').then(
        ({ status }) => status === 200,
        () => false,
      );
    await pollUntil(isAlive, { withinMs: 30_000, describe: () => `${name} is not alive: ${process.output()}` });
    return { ...process, url };
  };
  const { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE = '' } = env;
  const servers: Readonly<Record<ServerName, ServerProcess & { readonly url: string }>> = {
    gateway: await start('gateway', gatewayPort, gateway, {
      UPSTREAM_KEY: upstreamKey,
      ROSTERGATE_WORKERS: level === 'debug' ? '2' : '1',
    }),
    'staff-proxy': await start('staff-proxy', proxyPort, proxy, {}),
    scheduling: await start('scheduling', schedulingPort, scheduling, {
      ROSTERGATE_SCHEDULING_ACCOUNTS_FILE,
      ROSTERGATE_SCHEDULING_DATABASE_FILE: join(scheduling, 'data', 'scheduling.sqlite'),
      ROSTERGATE_SCHEDULING_SEED: 'demo',
      ROSTERGATE_SCHEDULING_LOG_LEVEL: level,
    }),
  };
  const secrets: readonly Needle[] = [
    { place: 'a key written in the settings', secret: plainKey, mayBeIn: [] },
    { place: 'a key for the upstream', secret: upstreamKey, mayBeIn: ['the upstream'] },
    { place: 'the password of Redis', secret: redisPassword, mayBeIn: [] },
    { place: 'a password of an account', secret: credentials.SCHEDULING_ADMIN_PASSWORD, mayBeIn: ['the upstream'] },
    { place: 'a password of another account', secret: credentials.SCHEDULING_PASSWORD, mayBeIn: ['the upstream'] },
  ];
  return { servers, credentials, plainKey, secrets, folders: [gateway, proxy, scheduling] };
}

/** Returns the files that the servers wrote, without their input files. */
async function filesIn(folder: string): Promise<Haystack[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const written = files.filter(
    (file) => !/(settings|endpoints|proxy-keys|staff-proxy)\.json$|\/credentials\//.test(file),
  );
  return Promise.all(
    written.map(async (file) => ({ name: `the file ${file}`, text: (await readFile(file)).toString('latin1') })),
  );
}

/** Returns the process and its descendants. */
async function processesOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const below = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => processesOf(Number(child))),
  );
  return [pid, ...below.flat()];
}
