import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { logIn } from '../src/promises/ask-as.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { tryForgedReceivers } from '../src/promises/forged-receivers.ts';
import {
  type ForgedRoute,
  followingMark,
  forgedRequests,
  forgedValue,
  smuggledMark,
} from '../src/promises/forged-requests.ts';
import { forgedResponses } from '../src/promises/forged-responses.ts';
import { handshakeFields } from '../src/promises/handshake-fields.ts';
import { injectedName } from '../src/promises/hidden-requests.ts';
import { askRaw, type RawResponse } from '../src/promises/raw-lane.ts';
import {
  type RecordedRequest,
  type RecordingUpstream,
  respondJson,
  startRecordingUpstream,
} from '../src/promises/recording-upstream.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';
import { startServers } from '../src/start-servers.ts';

const upstreamKey = 'key-of-the-gateway-at-its-upstream';

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly credential: readonly string[];
  readonly routes: readonly ForgedRoute[];
  /** The upstream and the paths that may be requested there; absent without forwarding. */
  readonly upstream?: RecordingUpstream;
  readonly allowedPaths?: RegExp;
  /** Whether requests to the upstream carry the address of the client. */
  readonly sendsOrigin?: boolean;
  /** The credential that the upstream must receive. */
  readonly sends?: readonly [name: string, value: RegExp];
}

export const promise = definePromise({
  number: 29,
  title: 'No SSRF, hop-by-hop or header injection',
  done: 'Requests, responses of an upstream, and addresses, redirects and names of receivers of webhooks name another server; requests and responses remove fields with Connection, hide a second request in lengths and chunks, put line ends into paths and fields, or carry fields that a policy sets',
  target: '0',
  async run({ byScale, atEnd, say }) {
    const elsewhere = await startElsewhere(atEnd);
    const receivers = await tryForgedReceivers(elsewhere.host, atEnd);
    const subjects = [
      await openGateway(elsewhere.host, atEnd),
      await openGatewayWithToken(elsewhere.host, atEnd),
      await openProxy(elsewhere.host, atEnd),
      await openScheduling(atEnd),
    ];
    const faults = [...receivers.faults];
    let [sent, forwarded, secondResponses] = [0, 0, 0];
    const followed = new Map(subjects.flatMap(({ name, upstream }) => (upstream === undefined ? [] : [[name, 0]])));
    for (const subject of subjects) {
      const { name, url, routes, credential, upstream } = subject;
      const { host } = new URL(url);
      const requests = routes.flatMap((route) => [
        ...forgedRequests(route, host, elsewhere.host, credential),
        ...forgedRequests(route, host, elsewhere.host, []),
      ]);
      for (let round = 0; round < byScale({ ci: 1, full: 5 }); round++) {
        await askRaw(
          url,
          requests,
          ({ method, target, fields, isFollowed }, response) => {
            sent++;
            const wrong = faultsInResponse(response, elsewhere.host);
            if (!isFollowed && response.more !== '')
              wrong.push(`data follows the response: ${response.more.slice(0, 60)}`);
            if (isFollowed && response.more.startsWith('HTTP/1.1 ')) secondResponses++;
            faults.push(
              ...wrong.map((fault) => `${name}: ${method} ${target} [${fields.slice(1).join(', ')}]: ${fault}`),
            );
          },
          48,
        );
        const arrived =
          upstream?.take().filter(({ url: asked }) => !asked.startsWith('/health') && asked !== '/v2/login') ?? [];
        forwarded += arrived.length;
        const following = arrived.filter(({ url: asked }) => asked.includes(followingMark)).length;
        if (upstream !== undefined) followed.set(name, (followed.get(name) ?? 0) + following);
        for (const request of arrived)
          faults.push(
            ...faultsInForwarded(request, subject).map(
              (fault) => `${name} forwarded ${request.method} ${request.url}: ${fault}`,
            ),
          );
      }
      say(`${name}: ${faults.length} faults so far`);
    }
    const figures: Figure[] = [
      toFigure({ name: 'connections to the other server', unit: '', max: 0 }, elsewhere.connections()),
      toFigure(
        { name: 'forged or injected', unit: '', max: 0 },
        faults.length,
        [...new Set(faults)].slice(0, 4).join('; '),
      ),
      toFigure({ name: 'forged receivers of webhooks', unit: '', min: 8 }, receivers.tried),
      toFigure({ name: 'requests', unit: '', min: byScale({ ci: 1_000, full: 10_000 }) }, sent),
      toFigure({ name: 'forwarded', unit: '', min: 100 }, forwarded),
      // Proves that a pipelined request would be noticed.
      toFigure({ name: 'of them pipelined behind another request', unit: '', min: 3 }, Math.min(...followed.values())),
      toFigure({ name: 'second responses', unit: '', min: 10 }, secondResponses),
    ];
    return figures;
  },
});

function faultsInResponse({ status, head, body }: RawResponse, elsewhere: string): string[] {
  const faults: string[] = [];
  const has = (name: string) => new RegExp(`^${name}:`, 'im').test(head);
  if (has(injectedName)) faults.push('it has the injected field');
  for (const name of [
    'X-Hop',
    'Proxy-Authenticate',
    'Trailer',
    'X-Powered-By',
    'Alt-Svc',
    'Access-Control-Allow-Origin',
  ]) {
    if (has(name)) faults.push(`it has ${name}`);
  }
  if (/^(server|x-request-id|ratelimit|strict-transport-security): *(forged|max-age=0)/im.test(head))
    faults.push('a field of the server is forged');
  // A redirect of the upstream may name the other server; any other mention comes from the request.
  if (head.includes(elsewhere) && !/^(location|refresh): (http:)?(0; url=http:)?\/\/[^/]*\/taken/im.test(head))
    faults.push('its head names the other server');
  if (status === 0) faults.push(`no response: ${head}`);
  if (status === 101) faults.push('it has switched protocols');
  if (/^HTTP\/1\.1 \d{3}/m.test(body)) faults.push('the body contains a response');
  return faults;
}

function faultsInForwarded(
  request: RecordedRequest,
  { upstream, allowedPaths, sends, credential, sendsOrigin = false }: Subject,
): string[] {
  const { url, fields, body } = request;
  const faults: string[] = [];
  const values = Map.groupBy(
    fields.flatMap((name, n) => (n % 2 === 0 ? [[name.toLowerCase(), fields[n + 1] as string] as const] : [])),
    ([name]) => name,
  );
  const of = (name: string) => (values.get(name) ?? []).map(([, value]) => value);
  const expect = (name: string, ...wanted: readonly (string | RegExp)[]) => {
    const found = of(name);
    const isExpected =
      found.length === wanted.length &&
      wanted.every((one, n) => (typeof one === 'string' ? one === found[n] : one.test(found[n] as string)));
    if (!isExpected) faults.push(`${name} is ${JSON.stringify(found)}`);
  };
  if (url.includes(smuggledMark)) faults.push('it was hidden in another request');
  if (allowedPaths?.test(url) !== true) faults.push('the path is not allowed');
  expect('host', new URL(upstream?.url ?? '').host);
  expect('x-forwarded-for', ...(sendsOrigin ? ['127.0.0.1'] : []));
  expect('x-forwarded-proto', ...(sendsOrigin ? ['http'] : []));
  expect('x-request-id', /^[\w.-]{1,64}$/);
  expect('via', /^(.*, )?1\.[01] rostergate$/);
  if (sends !== undefined) expect(...sends);
  if (url.startsWith('/policies')) {
    expect('x-gateway', 'own');
    expect('x-client', '127.0.0.1');
    if (of('x-owner').length > 1 || of('x-owner').some((value) => value.includes(forgedValue)))
      faults.push(`x-owner is ${JSON.stringify(of('x-owner'))}`);
  }
  const isHandshake = /^\/live(\?|$)/.test(url);
  for (const name of neverForwarded) {
    if (name === 'upgrade' && isHandshake ? of(name).join() !== 'websocket' : values.has(name))
      faults.push(`${name} was forwarded`);
  }
  if (of('connection').some((value) => !(isHandshake ? /^upgrade$/i : /^(keep-alive|close)$/i).test(value)))
    faults.push(`connection is ${of('connection')}`);
  if (of('content-length').length + of('transfer-encoding').length > 1) faults.push('it has two lengths');
  if (fields.some((text) => /[\r\n\0]/.test(text))) faults.push('there is a line end in a field');
  const text = JSON.stringify([url, fields, body]);
  if (credential.some((line) => text.includes(line.split(' ').at(-1) as string)))
    faults.push('it has the key of the client');
  return faults;
}

const neverForwarded = [
  injectedName.toLowerCase(),
  'x-forwarded-host',
  'x-forwarded-server',
  'x-forwarded-uri',
  'x-forwarded-prefix',
  'forwarded',
  'x-real-ip',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
];

/** Starts a server that no configuration names, and counts its connections. */
async function startElsewhere(atEnd: AtEnd) {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => server.close());
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

/** Starts an upstream that sends each forged response in turn; every second response is valid, so no circuit opens. */
async function startForger(elsewhere: string, atEnd: AtEnd): Promise<RecordingUpstream> {
  const responses = forgedResponses(elsewhere);
  let n = 0;
  return startRecordingUpstream(atEnd, (res, request, req) => {
    const { url } = request;
    if (url.startsWith('/health')) return respondJson(200, { status: 'alive' })(res, request, req);
    if (url === '/v2/login') {
      return respondJson(200, { access_token: 'of-the-upstream', token_type: 'bearer', expires_in: '3600' })(
        res,
        request,
        req,
      );
    }
    const respond = n++ % 2 === 0 ? respondJson(200, []) : responses[(n >> 1) % responses.length];
    return respond?.(res, request, req);
  });
}

async function openGateway(elsewhere: string, atEnd: AtEnd): Promise<Subject> {
  const upstream = await startForger(elsewhere, atEnd);
  const headers = { 'X-API-Key': upstreamKey };
  return openGatewayTo(upstream, 'gateway', { headers }, ['x-api-key', new RegExp(`^${upstreamKey}$`)], atEnd);
}

/** Starts a gateway that logs in at its upstream, and checks the health of its target. */
async function openGatewayWithToken(elsewhere: string, atEnd: AtEnd): Promise<Subject> {
  const upstream = await startForger(elsewhere, atEnd);
  const auth = { type: 'login', token_url: `${upstream.url}/v2/login`, fields: { password: 'x' } };
  const more = { auth, health: { path: '/health', interval_ms: 1_000 } };
  return openGatewayTo(upstream, 'gateway with a token', more, ['authorization', /^Bearer of-the-upstream$/], atEnd);
}

async function openGatewayTo(
  upstream: RecordingUpstream,
  name: string,
  more: object,
  sends: NonNullable<Subject['sends']>,
  atEnd: AtEnd,
): Promise<Subject> {
  const target = { targets: [upstream.url], ...more, retries: 0, timeout_ms: 2_000 };
  const forwarded = [
    { path: '/fixed', requires_auth: true, upstream: { ...target, path: '/fixed' } },
    { path: '/fixed', method: 'POST', requires_auth: true, upstream: { ...target, path: '/fixed' } },
    { path: '/open', upstream: { ...target, path: '/open' } },
    { path: '/open', method: 'POST', upstream: { ...target, path: '/open' } },
    { path: '/policies', policies: ['tidy'], upstream: { ...target, path: '/policies' } },
    { path: '/policies', method: 'POST', policies: ['tidy'], upstream: { ...target, path: '/policies' } },
    { path: '/people/{id}', upstream: { ...target, path: '/staff/{id}/all' } },
    { path: '/files/{rest*}', methods: ['GET', 'POST'], upstream: { ...target, path: '/v1/{rest*}' } },
    { path: '/live', requires_auth: true, upstream: { ...target, path: '/live', websocket: { origins: ['*'] } } },
  ].map((endpoint) => ({ service: 'http', ...endpoint }));
  const local = { path: '/mirror/{id}', service: 'mirror', requires_auth: true };
  const set = { 'X-Owner': '{owner}', 'X-Client': '{address}', 'X-Gateway': 'own' };
  const policies = { tidy: { type: 'headers', request: { set } } };
  const { url } = await spawnGateway(
    { settings: quiet, endpoints: [...forwarded, local], policies, files: { 'services/mirror.ts': mirrorService } },
    atEnd,
  );
  const withParameter = (value: string) => `/people/${value}`;
  return {
    name,
    url,
    credential: [`X-API-Key: ${goodKey}`],
    routes: [
      ...['/fixed', '/open', '/policies'].map((path) => ({ path, withParameter, body: '{"a":1}' })),
      { path: '/files/x', withParameter: (value: string) => `/files/a/${value}`, body: '{"a":1}' },
      { path: '/mirror/x', withParameter: (value: string) => `/mirror/${value}`, body: '{"a":1}' },
      // The valid handshake before the forged fields makes each request of the path reach the upstream.
      { path: '/live', withParameter, body: '{"a":1}', fields: handshakeFields },
    ],
    upstream,
    allowedPaths:
      /^\/(fixed|open|policies|live|staff\/(?!(\.|%2e){1,2}\/)[^/?#\s]+\/all|v1(\/(?!(\.|%2e){1,2}(\/|\?|$))(?!%2f|%5c)([^/?#\s%;\\]|%(?!2f|5c|3b|25[\da-f]{2}))+)+)(\?[^\s#]*)?$/i,
    sendsOrigin: true,
    sends,
  };
}

/** Puts a parameter and a header of the request into a header of its response, without the digits of other ports. */
const mirrorService = `import { defineService, z } from 'rostergate';

export default defineService({
  name: 'mirror', summary: 'x',
  parameters: z.object({ id: z.string(), tenant: z.string().optional().meta({ in: 'header', key: 'X-Tenant' }) }),
  responses: { 201: { body: z.string(), headers: { Location: z.string() } } },
  handle: ({ id, tenant = '' }) => ({ status: 201, body: id, headers: { Location: (id + tenant).replaceAll(/[0-9]/g, '') } }),
});
`;

async function openProxy(elsewhere: string, atEnd: AtEnd): Promise<Subject> {
  const upstream = await startForger(elsewhere, atEnd);
  const key = 'acceptance-key-of-the-proxy';
  const sha256 = createHash('sha256').update(key).digest('hex');
  const keysFile = {
    accounts: { admin: { email: 'a@b.example', password: 'x', company_key: 'C', admin: true } },
    keys: [{ name: 'admin', owner: 'admin', account: 'admin', sha256 }],
  };
  const settings = {
    upstream_url: upstream.url,
    upstream_retries: 0,
    upstream_timeout_ms: 2_000,
    ...quiet,
  };
  const { url } = await spawnProxy({ keysFile, settings }, atEnd);
  return {
    name: 'staff-proxy',
    url,
    credential: [`X-API-Key: ${key}`],
    routes: [staffRoute],
    upstream,
    allowedPaths: /^\/v2\/staffmember(\/(?!(\.|%2e){1,2}(\?|$))[^/?#\s]+)?(\?[^\s#]*)?$/i,
    sends: ['authorization', /^Bearer of-the-upstream$/i],
  };
}

async function openScheduling(atEnd: AtEnd): Promise<Subject> {
  const servers = await startServers();
  atEnd(servers.stop);
  const { SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD } = servers.credentials;
  const url = servers.urls.scheduling;
  const { Authorization } = await logIn(url, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD);
  return {
    name: 'scheduling',
    url,
    credential: [`Authorization: ${Authorization}`],
    routes: [{ ...staffRoute, path: '/v2/staffmember/x/tag' }],
  };
}

// Short deadlines for incomplete requests.
const quiet = { headers_timeout_ms: 2_000, request_timeout_ms: 2_000, log_sample_every: 100_000 };

const staffRoute: ForgedRoute = {
  path: '/v2/staffmember',
  withParameter: (value) => `/v2/staffmember/${value}`,
  body: '{"StaffId":"x"}',
};
