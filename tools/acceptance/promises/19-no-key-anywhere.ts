import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { PortalVisitor } from '../src/portal-visitor.ts';
import { askAs, logIn } from '../src/promises/ask-as.ts';
import { tryBrokenConfigurations } from '../src/promises/broken-configurations.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { createFindSecrets } from '../src/promises/find-secrets.ts';
import { askRaw } from '../src/promises/raw-lane.ts';
import { respondJson, startRecordingUpstream } from '../src/promises/recording-upstream.ts';
import {
  createFailingUpstream,
  indiscreetWays,
  type Needle,
  startServersWithSecrets,
  toolOperations,
} from '../src/promises/servers-with-secrets.ts';
import {
  badUses,
  goodUses,
  type Use,
  type UsedRoute,
  usesAtHandshake,
  usesAtLogin,
} from '../src/promises/uses-of-a-key.ts';
import type { ServerName } from '../src/server-names.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** A text that is searched for secrets. */
interface Haystack {
  readonly name: string;
  readonly text: string;
}

export const promise = definePromise({
  number: 19,
  title: 'Keys never reach an upstream, a log, a metric or an error',
  done: 'Keys, passwords, tokens and access tokens of an issuer, accepted and rejected, are put in every place of a request, of a WebSocket handshake, of the portal, of the call of a tool, of a request to the admin API and of an invalid configuration, and into the errors of custom services and policies; credentials of upstreams are sent to token endpoints that repeat them, and policies set secret headers; all at every log level, with traces; then everything that was written is searched for them',
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
      toFigure({ name: 'hits', unit: '', max: 0 }, hits.length, [...new Set(hits)].slice(0, 5).join('; ')),
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
  const started = await startServersWithSecrets(level, upstream.url, collector.url, atEnd);
  const { servers, credentials } = started;
  const needles: Needle[] = started.secrets.map((one) => ({ ...one }));
  const haystacks: Haystack[] = [];

  const schedulingToken = await logIn(
    servers.scheduling.url,
    credentials.SCHEDULING_ADMIN_EMAIL,
    credentials.SCHEDULING_ADMIN_PASSWORD,
  );
  const accepted = await askAs(servers.gateway.url, { Authorization: `Bearer ${started.accessTokens[0]}` })(
    '/auth/status',
  );
  if (accepted.status !== 200) throw new Error(`The gateway responds ${accepted.status} to a valid access token.`);
  const proxyToken = await logIn(servers['staff-proxy'].url, 'admin', credentials.STAFF_PROXY_ADMIN_KEY);
  const bare = ({ Authorization }: { readonly Authorization: string }) => Authorization.slice('Bearer '.length);
  const good: Readonly<Record<ServerName, readonly string[]>> = {
    gateway: [credentials.GATEWAY_KEY, started.plainKey, ...started.accessTokens],
    'staff-proxy': [credentials.STAFF_PROXY_ADMIN_KEY, bare(proxyToken)],
    scheduling: [bare(schedulingToken)],
  };

  async function ask(name: string, url: string, uses: readonly Use[], valid: readonly string[]): Promise<string> {
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
    needles.push(...valid.map((secret) => ({ place: `a valid credential at ${name}`, secret, mayBeIn: [] })));
    needles.push(
      ...uses
        .filter(({ secret }) => !valid.includes(secret))
        .map(({ place, secret, isReturned, request }) => ({
          place: `${place} on ${request.method} ${request.target.slice(0, 40)} at ${name}`,
          secret,
          mayBeIn: isReturned ? [`responses of ${name}`, 'the upstream'] : [],
        })),
    );
    return responses;
  }

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
    if (name === 'gateway') {
      for (const secret of good.gateway) {
        uses.push(...[...briefRoutes, ...agentRoutes].flatMap((route) => goodUses(route, host, secret)));
        uses.push(...usesAtHandshake('/live', host, secret));
      }
      uses.push(...usesAtHandshake('/live', host), ...usesAtHandshake('/open', host));
    } else uses.push(...usesAtLogin(host));
    if (name === 'staff-proxy') {
      for (const secret of good[name]) uses.push(...staffAgentRoutes.flatMap((route) => goodUses(route, host, secret)));
    }
    await ask(name, url, uses, good[name]);
    for (const [path, accept] of [
      ['/metrics', 'text/plain'],
      ['/metrics', 'application/json'],
      ['/health/ready', '*/*'],
      ['/openapi.json', '*/*'],
      ['/endpoints', '*/*'],
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
  const developer = new PortalVisitor(servers.gateway.url);
  const callback = await developer.authorize('ada');
  await developer.send(callback);
  const cookies = [...(developer.cookies.get(servers.gateway.url)?.values() ?? [])];
  const made = await developer.createKey('made');
  const ofPortal = [...cookies, new URL(callback).searchParams.get('code') ?? '', made.key];
  if (cookies.length === 0) throw new Error('The portal has set no cookie.');
  needles.push(
    ...ofPortal.map((secret) => ({ place: 'a session, a code or a key of the portal', secret, mayBeIn: [] })),
  );
  const { adminUrl, adminKey } = started;
  const { host: adminHost } = new URL(adminUrl);
  const adminUses = adminRoutes.flatMap((route) => [
    ...goodUses(route, adminHost, adminKey),
    ...badUses(route, adminHost, adminKey),
    ...badUses(route, adminHost),
  ]);
  const adminResponses = await ask('the admin API', adminUrl, adminUses, [adminKey]);
  const created = [...adminResponses.matchAll(/"key":"(rg_live_[^"]+)"/g)].map(([, secret = '']) => secret);
  if (created.length === 0) throw new Error('The admin API created no key.');
  const mayBeIn = ['responses of the admin API'];
  needles.push(...created.map((secret) => ({ place: 'a created key', secret, mayBeIn })));
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
    { method: 'GET', path: '/portal' },
    { method: 'POST', path: '/portal/keys', body: '{"name":"a"}' },
    { method: 'GET', path: '/nowhere' },
  ],
  'staff-proxy': staffRoutes,
  scheduling: staffRoutes,
};

const adminRoutes: readonly UsedRoute[] = [
  { method: 'POST', path: '/keys', body: '{"name":"made"}' },
  { method: 'POST', path: '/keys/made/rotate', body: '{"overlap_seconds":60}' },
  { method: 'GET', path: '/keys' },
  { method: 'GET', path: '/keys/made' },
  { method: 'PATCH', path: '/keys/unknown', body: '{"scopes":["x"]}' },
  { method: 'GET', path: '/audit' },
];

/** Routes of the gateway that are called only with credentials in the right places. */
const briefRoutes: readonly UsedRoute[] = [
  ...['/session/x', ...Array.from({ length: 6 }, (_, n) => `/token/${n}`)],
  ...indiscreetWays.flatMap((way) => [`/throws/${way}`, `/policy/${way}`]),
].map((path) => ({ method: 'GET', path }));

/** Calls of tools, as agents send them. */
const agentRoutes: readonly UsedRoute[] = toolOperations.flatMap((name) =>
  (name.endsWith('Way') ? indiscreetWays : ['x']).map((value) => {
    const args = name.endsWith('Way') ? { way: value } : { name: value, body: { a: 1 } };
    return callOf(name, name === 'getUpstreamByName' ? { name: value } : args);
  }),
);
/** Often enough that the upstream fails in all ways. */
const staffAgentRoutes: readonly UsedRoute[] = Array.from({ length: 12 }, (_, n) =>
  n % 2 === 0 ? callOf('listStaffMembers', { skip: n }) : callOf('getStaffMember', { staff_key: `x${n}` }),
);

function callOf(name: string, args: object): UsedRoute {
  return {
    method: 'POST',
    path: '/mcp',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    fields: ['Accept: application/json, text/event-stream'],
  };
}

/** Returns the files that the servers wrote, without their input files. */
async function filesIn(folder: string): Promise<Haystack[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const written = files.filter(
    (file) => !/(settings|endpoints|proxy-keys|staff-proxy)\.json$|\/(credentials|services)\//.test(file),
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
