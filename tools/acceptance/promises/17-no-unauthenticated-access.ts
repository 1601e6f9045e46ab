import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { toFigure } from '../../benchmark/src/figure.ts';
import { pickFreePort } from '../../workspace/free-ports.ts';
import type { AtEnd } from '../src/at-end.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askAs, logIn } from '../src/promises/ask-as.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { handshakeAccept, handshakeFields } from '../src/promises/handshake-fields.ts';
import { overrideFields } from '../src/promises/override-fields.ts';
import { mutatePath } from '../src/promises/path-mutations.ts';
import { askRaw, type RawRequest, type RawResponse } from '../src/promises/raw-lane.ts';
import { type SecuredOperation, securedOperations } from '../src/promises/secured-operations.ts';
import { startTokenIssuer } from '../src/promises/token-issuer.ts';
import { serverPrograms } from '../src/server-programs.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { findPerson } from '../src/staff/find-person.ts';
import { startListener } from '../src/start-listener.ts';
import { startServer } from '../src/start-server.ts';
import { type RunningServers, startServers } from '../src/start-servers.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get'];

/** Text that only an authorized client can read. */
const marker = 'protected-text-7c1f';

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly goodKey: string;
  readonly operations: readonly SecuredOperation[];
  /** Header fields with an unauthorized credential, by what is wrong with it. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Operations that the other company may use for its own data; responses must not contain ours. */
  readonly shared: readonly string[];
  /** A path that responds 200 while the server is alive. */
  readonly alivePath: string;
}

interface Attempt extends RawRequest {
  readonly credential: string;
  readonly operation: SecuredOperation;
}

export const promise = definePromise({
  number: 17,
  title: 'No unauthenticated response from a protected route',
  done: 'Every protected route, also of the admin API, is requested with every method, path spelling, overriding header and WebSocket handshake, also within an open prefix in front of an upstream that decodes and resolves paths, without a key and with a revoked key, an expired key, a key of another company or without the scope, and access tokens that are expired, forged or for another audience; the full run sends all requests, CI a random one in 48',
  target: '0 leaks',
  async run({ byScale, random, atEnd, say }) {
    const subjects = [...(await openGateway(atEnd)), ...(await openStaffServers(atEnd))];
    const sampleEvery = byScale({ ci: 48, full: 1 });
    const offset = random.integer(0, 2 ** 31 - 1);
    if (sampleEvery > 1) say(`one in ${sampleEvery} by offset ${offset}`);
    let [sent, rejected] = [0, 0];
    const [leaks, unanswered]: [string[], string[]] = [[], []];
    const trySubject = async (subject: Subject) => {
      const { name, url, operations, alivePath } = subject;
      const publicBodies = await readPublicBodies(url);
      const attempts = attemptsOn(subject).filter((_, n) => isSampled(n + offset, sampleEvery));
      await askRaw(url, attempts, (attempt, response) => {
        sent++;
        const { credential, method, target, fields } = attempt;
        const { status, head } = response;
        const describe = () => `${name}, ${credential}: ${method} ${target} [${fields.join(', ')}] is ${status}`;
        if (status === 401 || status === 403) rejected++;
        if (status === 0) unanswered.push(`${describe()}: ${head}`);
        if (isLeak(subject, attempt, response, publicBodies)) leaks.push(describe());
      });
      // A server that has crashed would leak nothing either.
      const alive = await fetch(url + alivePath).then((response) => response.status, String);
      if (alive !== 200) unanswered.push(`${name} is not alive afterwards: ${alive}`);
      say(`${name}: ${attempts.length} attempts on ${operations.length} operations`);
    };
    await Promise.all(subjects.map(trySubject));
    for (const fault of [...leaks, ...unanswered].slice(0, 20)) say(fault);
    return [
      toFigure({ name: 'leaks', unit: '', max: 0 }, leaks.length, leaks.slice(0, 3).join('; ')),
      toFigure({ name: 'without a response', unit: '', max: 0 }, unanswered.length, unanswered.slice(0, 3).join('; ')),
      toFigure({ name: 'requests', unit: '', min: byScale({ ci: 10_000, full: 400_000 }) }, sent),
      toFigure({ name: 'rejected for the key', unit: '', min: sent / 5 }, rejected),
    ];
  },
});

/** Returns every path spelling and every overriding field with every method, and the fields on a public path. */
function attemptsOn({ url, operations, credentials, goodKey: key }: Subject): Attempt[] {
  const { host } = new URL(url);
  return Object.entries(credentials).flatMap(([credential, credentialFields]) => {
    const always = [`Host: ${host}`, ...Object.entries(credentialFields).map(([name, value]) => `${name}: ${value}`)];
    return operations.flatMap((operation): Attempt[] => {
      const claims = overrideFields(operation.path, key);
      const spellings = [
        ...mutatePath(operation.path, host),
        ...keysInQuery.map((name) => `${operation.path}?${name}=${key}`),
      ];
      return [
        ...methods.flatMap((method) => [
          ...spellings.map((target) => ({ credential, operation, method, target, fields: always })),
          ...claims.map((claim) => ({
            credential,
            operation,
            method,
            target: operation.path,
            fields: [...always, claim],
          })),
        ]),
        ...[...spellings.map((target) => [target]), ...claims.map((claim) => [operation.path, claim])].map(
          ([target = '', ...claim]) => ({
            ...{ credential, operation, method: 'GET', target },
            fields: [...always, ...handshakeFields, ...claim],
          }),
        ),
        ...claims.map((claim) => ({
          credential,
          operation,
          method: 'GET',
          target: '/health/live',
          fields: [...always, claim],
        })),
      ];
    });
  });
}

/** Selects one in `sampleEvery`, without a rhythm that would select the same spelling for every operation. */
function isSampled(n: number, sampleEvery: number): boolean {
  return (Math.imul(n, 0x9e3779b1) >>> 8) % sampleEvery === 0;
}

const keysInQuery = ['X-API-Key', 'api_key', 'apikey', 'key', 'access_token', 'token', 'Authorization'];

function isLeak(
  subject: Subject,
  attempt: Attempt,
  { status, head, body }: RawResponse,
  publicBodies: ReadonlySet<string>,
): boolean {
  if (body.includes(marker) || head.includes(marker)) return true;
  // A missing response is counted separately.
  if (status === 0 || status >= 400) return false;
  if (attempt.method === 'OPTIONS' && status === 204) return false;
  if (attempt.credential === 'of another company' && subject.shared.includes(attempt.operation.operationId))
    return false;
  // A response to HEAD has no body: the upstream says in a header what it is.
  return !publicBodies.has(shapeOf(body)) && !/^X-Found: public\r?$/im.test(head);
}

/** Returns the responses that are public. */
async function readPublicBodies(url: string): Promise<ReadonlySet<string>> {
  const paths = ['/', '/health', '/health/live', '/health/ready', '/docs', '/redoc', '/openapi.json'];
  return new Set(await Promise.all(paths.map(async (path) => shapeOf(await (await fetch(url + path)).text()))));
}

function shapeOf(body: string): string {
  return body.replaceAll(/\d+/g, '0');
}

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
const longAgo = '2020-01-01T00:00:00Z';

/** A policy of each kind. None of them lets a request pass that has no valid key. */
const policies = {
  office: { type: 'addresses', allow: ['127.0.0.0/8', '::1'] },
  tidy: { type: 'headers', request: { set: { 'X-Owner': '{owner}' } }, response: { set: { 'X-Served': 'yes' } } },
  pages: { type: 'cors', origins: ['https://app.example'] },
  short: { type: 'body_size', bytes_max: 1000 },
  check: { type: 'code', module: 'check.mjs' },
  middleware: { type: 'express', module: 'middleware.mjs' },
};

const policyModules = {
  'services/check.mjs':
    "import { definePolicy } from 'rostergate';\nexport default definePolicy({ before() {}, after: (reply) => reply });\n",
  'services/middleware.mjs': 'export default (req, res, next) => next();\n',
};

/** Starts a gateway; returns its public port and its admin port. */
async function openGateway(atEnd: AtEnd): Promise<Subject[]> {
  const otherKey = 'acceptance-key-of-another-company';
  const entry = (name: string, more: object) => ({ name, owner: name, sha256: sha256(`key-${name}`), ...more });
  const adminKey = 'key-admin';
  const keys = [
    entry('revoked', { revoked_at: longAgo, scopes: ['admin'] }),
    entry('expired', { expires_at: longAgo, scopes: ['admin'] }),
    // Every response about this key contains its owner.
    entry('admin', { owner: marker, scopes: ['admin'] }),
  ];
  const adminPort = await pickFreePort();
  const fixed = { service: 'static', requires_auth: true, parameters: { answer: { marker } } };
  const { requires_auth: _, ...byToken } = { ...fixed, auth: ['jwt:corp'] };
  const issuer = await startTokenIssuer(atEnd);
  const upstream = await startListener((req, res) => {
    const found = /^\/(admin|stock)(\/|$)/.test(resolveEagerly(req.url ?? '')) ? marker : 'public';
    res.setHeader('X-Found', found).end(found);
  });
  atEnd(upstream.stop);
  const prefix = { service: 'http', methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] };
  const to = (path: string) => ({ upstream: { targets: [upstream.url], path, retries: 0 } });
  const webSockets = { targets: [await startWebSocketUpstream(atEnd)], websocket: { origins: ['*'] } };
  const gateway = await spawnGateway(
    {
      settings: {
        ...{ metrics_requires_auth: true, log_sample_every: 100_000, jwt_issuers: [issuer.settings] },
        admin_port: adminPort,
      },
      files: { 'keys.json': JSON.stringify({ keys }), ...policyModules },
      policies,
      endpoints: [
        { path: '/vault/stock', ...fixed },
        { path: '/vault/stock', method: 'POST', ...fixed },
        { path: '/vault/{symbol}/price', service: 'crypto', requires_auth: true },
        { path: '/vault/kept', ...fixed, cache_seconds: 600 },
        { path: '/vault/policies', ...fixed, cache_seconds: 600, policies: Object.keys(policies) },
        { path: '/vault/echo', method: 'POST', service: 'echo', requires_auth: true },
        { path: '/vault/tokens', ...byToken, cache_seconds: 600 },
        { path: '/vault/tokens', method: 'POST', ...fixed, auth: ['key', 'jwt:corp'] },
        { path: '/open/{rest*}', ...prefix, ...to('/{rest*}') },
        { path: '/open/admin/{rest*}', ...prefix, ...to('/admin/{rest*}'), requires_auth: true },
        { path: '/open/stock', service: 'http', ...to('/stock'), requires_auth: true },
        { path: '/vault/live', service: 'http', requires_auth: true, upstream: webSockets },
        {
          path: '/theirs',
          service: 'static',
          requires_auth: true,
          api_keys: otherKey,
          parameters: { answer: 'theirs' },
        },
      ],
    },
    atEnd,
  );
  const { url } = gateway;
  // Fills the cache: an authorized client may read a cached response, no other client.
  for (const path of ['/vault/stock', '/vault/kept', '/vault/policies']) {
    const { status, body } = await askAs(url, { 'X-API-Key': goodKey })(path);
    if (status !== 200 || body.marker !== marker) throw new Error(`${path} is ${status} for the valid key.`);
  }
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const byValidToken = await askAs(url, bearer(issuer.token()))('/vault/tokens');
  if (byValidToken.body.marker !== marker) throw new Error(`A valid token is ${byValidToken.status}.`);
  const opened = await new Promise<string>((resolve) => {
    const attempt = {
      method: 'GET',
      target: '/vault/live',
      fields: ['Host: x', `X-API-Key: ${goodKey}`, ...handshakeFields],
    };
    void askRaw(url, [attempt], (_, { status }) => resolve(String(status)));
  });
  if (opened !== '101') throw new Error(`A WebSocket is ${opened} for the valid key.`);
  const operations = (await securedOperations(url)).filter(({ path }) => path !== '/theirs');
  const credentials = {
    'without a key': {},
    'by a revoked key': { 'X-API-Key': 'key-revoked' },
    'by an expired key': { Authorization: 'Bearer key-expired' },
    'by a revoked key in a subprotocol': {
      'Sec-WebSocket-Protocol': `rostergate, rostergate.key.${Buffer.from('key-revoked').toString('base64url')}`,
    },
    'of another company': { 'X-API-Key': otherKey },
    'by an expired token': bearer(issuer.token({ exp: 1_700_000_000 })),
    'by a forged token': bearer(issuer.forgedToken()),
    'by a token for another audience': bearer(issuer.token({ aud: 'https://other.example.com' })),
  };
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const listed = await askAs(adminUrl, { 'X-API-Key': adminKey })('/keys');
  if (!JSON.stringify(listed.body).includes(marker)) throw new Error(`The admin API responds ${listed.status}.`);
  return [
    { name: 'gateway', url, goodKey, operations, credentials, shared: [], alivePath: '/health/live' },
    {
      name: 'admin API',
      url: adminUrl,
      goodKey: adminKey,
      operations: await securedOperations(adminUrl, { name: 'admin' }),
      credentials: { ...credentials, 'by a key without the scope': { 'X-API-Key': goodKey } },
      shared: [],
      alivePath: '/openapi.json',
    },
  ];
}

/** Returns the path that a lax upstream reads: decoded several times, without `;…`, with dots and slashes resolved. */
function resolveEagerly(url: string): string {
  let path = url.split('?', 1)[0] as string;
  for (let i = 0; i < 3; i++) {
    path = path.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  const found: string[] = [];
  for (const segment of path
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '')
    .split('/')) {
    if (segment === '..') found.pop();
    else if (segment !== '' && segment !== '.') found.push(segment);
  }
  return `/${found.join('/')}`;
}

/** Starts an upstream that accepts every handshake and sends the marker; returns its address. */
async function startWebSocketUpstream(atEnd: AtEnd): Promise<string> {
  const server = createServer().on('upgrade', (_req, socket) => {
    socket.on('error', () => {});
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${handshakeAccept}\r\n\r\n${marker}`,
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openStaffServers(atEnd: AtEnd): Promise<Subject[]> {
  const servers = await startServers({ ROSTERGATE_PROXY_RATE_LIMIT_ENABLED: 'false' });
  atEnd(servers.stop);
  const { urls, credentials, otherCompany } = servers;
  const { SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD, STAFF_PROXY_ADMIN_KEY, COMPANY_KEY } = credentials;
  const admin = await logIn(urls.scheduling, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD);
  const ask = askAs(urls.scheduling, admin);
  const { keys, person } = await findPerson(ask, COMPANY_KEY, "startswith(StaffId,'S-')");
  const path = `/v2/staffmember/${encodeURIComponent(person.StaffKey)}`;
  const marked = await ask(path, { method: 'PUT', json: { City: marker } });
  if (marked.status !== 200) throw new Error(`A person could not be changed: ${marked.status}`);
  const read = await askAs(urls['staff-proxy'], { 'X-API-Key': STAFF_PROXY_ADMIN_KEY })(path);
  if (read.body.City !== marker) throw new Error(`The proxy responds ${read.status} to the valid key.`);

  const shared = [
    ...['listStaffMembers', 'createStaffMember', 'listODataStaffMembers', 'countODataStaffMembers'],
    ...['exportCatalogue', 'mergeCatalogue', 'replaceCatalogue'],
  ];
  const [atProxy, atApi] = [await endedKeys(servers), await endedTokens(servers)];
  return [
    {
      name: 'staff-proxy',
      url: urls['staff-proxy'],
      goodKey: STAFF_PROXY_ADMIN_KEY,
      operations: await securedOperations(urls['staff-proxy'], keys),
      credentials: { 'without a key': {}, ...atProxy, 'of another company': { 'X-API-Key': otherCompany.proxyKey } },
      shared,
      alivePath: '/health/live',
    },
    {
      name: 'scheduling',
      url: urls.scheduling,
      goodKey: admin.Authorization.slice('Bearer '.length),
      operations: await securedOperations(urls.scheduling, keys),
      credentials: {
        'without a key': {},
        ...atApi,
        'of another company': await logIn(urls.scheduling, otherCompany.email, otherCompany.password),
      },
      shared,
      alivePath: '/health/live',
    },
  ];
}

/** Returns a key and a token of the proxy that were valid until the key was revoked, and an expired key. */
async function endedKeys({ urls, env }: RunningServers): Promise<Subject['credentials']> {
  const url = urls['staff-proxy'];
  const file = env.ROSTERGATE_PROXY_KEYS_FILE as string;
  const content = JSON.parse(await readFile(file, 'utf8'));
  const key = (name: string, more: object) => ({
    name,
    owner: name,
    account: 'admin',
    sha256: sha256(`key-${name}`),
    ...more,
  });
  const write = (revoked_at: string | null) =>
    writeFile(
      file,
      JSON.stringify({
        ...content,
        keys: [...content.keys, key('revoked', { revoked_at }), key('expired', { expires_at: longAgo })],
      }),
    );
  const ask = askAs(url, { 'X-API-Key': 'key-revoked' });
  const until = (wanted: number) =>
    pollUntil(async () => (await ask('/v2/staffmember?$top=1')).status === wanted, {
      withinMs: 20_000,
      describe: () => `the status of the revoked key is not ${wanted}`,
    });
  await write(null);
  await until(200);
  const token = await logIn(url, 'revoked', 'key-revoked');
  await write(longAgo);
  await until(401);
  return {
    'by a revoked key': { 'X-API-Key': 'key-revoked' },
    'by a token of a revoked key': token,
    'by an expired key': { Authorization: 'Bearer key-expired' },
  };
}

/** Returns a token of the API that was used before its account was disabled, and an expired token. */
async function endedTokens({ urls, env, credentials }: RunningServers): Promise<Subject['credentials']> {
  const { SCHEDULING_EMAIL, SCHEDULING_PASSWORD, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD } = credentials;
  const shortLived = { ...env, ROSTERGATE_SCHEDULING_TOKEN_LIFETIME_S: '1' };
  const other = await startServer({ name: 'scheduling', port: await pickFreePort(), env: shortLived });
  const expired = await logIn(other.url, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD);
  await other.stop();
  const disabled = await logIn(urls.scheduling, SCHEDULING_EMAIL, SCHEDULING_PASSWORD);
  const ask = (token: Readonly<Record<string, string>>) =>
    askAs(urls.scheduling, token)(`/v2/staffmember?$top=1&companyKey=${credentials.COMPANY_KEY}`);
  if ((await ask(disabled)).status !== 200) throw new Error('A token of an active account is rejected.');
  const args = ['--conditions=source', serverPrograms.scheduling.file, 'accounts', 'disable', SCHEDULING_EMAIL];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  const isEnded = async () => [(await ask(disabled)).status, (await ask(expired)).status].every((one) => one === 401);
  await pollUntil(isEnded, { withinMs: 15_000, describe: () => 'ended tokens are still accepted' });
  // Cached token checks of both have expired.
  await wait(100);
  return { 'by a token of a disabled account': disabled, 'by an expired token': expired };
}
