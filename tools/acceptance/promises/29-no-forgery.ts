import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { logIn } from '../src/promises/ask-as.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import {
  type ForgedRoute,
  followingMark,
  forgedRequests,
  injectedName,
  smuggledMark,
} from '../src/promises/forged-requests.ts';
import { forgingAnswers } from '../src/promises/forging-answers.ts';
import { askRaw, type RawAnswer } from '../src/promises/raw-lane.ts';
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

interface House {
  readonly name: string;
  readonly url: string;
  readonly credential: readonly string[];
  readonly routes: readonly ForgedRoute[];
  /** What it forwards to, and what may be asked for there; none where it forwards nothing. */
  readonly upstream?: RecordingUpstream;
  readonly asked?: RegExp;
  /** Whether the upstream hears from whom a request comes. */
  readonly tellsOrigin?: boolean;
  /** The credential that the upstream must be shown. */
  readonly shows?: readonly [name: string, value: RegExp];
}

export const promise = definePromise({
  number: 29,
  title: 'No SSRF, hop-by-hop or header injection',
  done: 'Requests, and responses of an upstream, name another server, remove fields with Connection, hide a second request in lengths and chunks, or put line ends into paths and fields',
  target: '0',
  async run({ often, atEnd, say }) {
    const elsewhere = await startElsewhere(atEnd);
    const houses = [
      await openGateway(elsewhere.host, atEnd),
      await openProxy(elsewhere.host, atEnd),
      await openScheduling(atEnd),
    ];
    const faults: string[] = [];
    let [sent, forwarded, answeredNext] = [0, 0, 0];
    const followed = new Map(houses.flatMap(({ name, upstream }) => (upstream === undefined ? [] : [[name, 0]])));
    for (const house of houses) {
      const { name, url, routes, credential, upstream } = house;
      const { host } = new URL(url);
      const requests = routes.flatMap((route) => [
        ...forgedRequests(route, host, elsewhere.host, credential),
        ...forgedRequests(route, host, elsewhere.host, []),
      ]);
      for (let round = 0; round < often({ ci: 1, full: 5 }); round++) {
        await askRaw(
          url,
          requests,
          ({ method, target, fields, isFollowed }, answer) => {
            sent++;
            const wrong = faultsInAnswer(answer, elsewhere.host);
            if (!isFollowed && answer.more !== '')
              wrong.push(`something follows the answer: ${answer.more.slice(0, 60)}`);
            if (isFollowed && answer.more.startsWith('HTTP/1.1 ')) answeredNext++;
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
            ...faultsInForwarded(request, house).map(
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
      toFigure({ name: 'requests', unit: '', min: often({ ci: 1_000, full: 10_000 }) }, sent),
      toFigure({ name: 'forwarded', unit: '', min: 100 }, forwarded),
      // Were those not seen that may follow another, nor would be those that may not.
      toFigure({ name: 'of them pipelined behind another request', unit: '', min: 3 }, Math.min(...followed.values())),
      toFigure({ name: 'second responses', unit: '', min: 10 }, answeredNext),
    ];
    return figures;
  },
});

function faultsInAnswer({ status, head, body }: RawAnswer, elsewhere: string): string[] {
  const faults: string[] = [];
  const has = (name: string) => new RegExp(`^${name}:`, 'im').test(head);
  if (has(injectedName)) faults.push('it has the field that was injected');
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
    faults.push('a field that is ours is forged');
  // A redirect of the upstream is the caller's to follow or not; anything else that names the place comes from the request.
  if (head.includes(elsewhere) && !/^(location|refresh): (http:)?(0; url=http:)?\/\/[^/]*\/taken/im.test(head))
    faults.push('its head names the other server');
  if (status === 0) faults.push(`there is none: ${head}`);
  if (status === 101) faults.push('it has switched protocols');
  if (/^HTTP\/1\.1 \d{3}/m.test(body)) faults.push('there is an answer in it');
  return faults;
}

function faultsInForwarded(
  request: RecordedRequest,
  { upstream, asked, shows, credential, tellsOrigin = false }: House,
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
    const isSo =
      found.length === wanted.length &&
      wanted.every((one, n) => (typeof one === 'string' ? one === found[n] : one.test(found[n] as string)));
    if (!isSo) faults.push(`${name} is ${JSON.stringify(found)}`);
  };
  if (url.includes(smuggledMark)) faults.push('it was hidden in another one');
  if (asked?.test(url) !== true) faults.push('nobody may ask for that');
  expect('host', new URL(upstream?.url ?? '').host);
  expect('x-forwarded-for', ...(tellsOrigin ? ['127.0.0.1'] : []));
  expect('x-forwarded-proto', ...(tellsOrigin ? ['http'] : []));
  expect('x-request-id', /^[\w.-]{1,64}$/);
  expect('via', /^(.*, )?1\.[01] rostergate$/);
  if (shows !== undefined) expect(...shows);
  for (const name of never) if (values.has(name)) faults.push(`${name} went on`);
  if (of('connection').some((value) => !/^(keep-alive|close)$/i.test(value)))
    faults.push(`connection is ${of('connection')}`);
  if (of('content-length').length + of('transfer-encoding').length > 1) faults.push('it has two lengths');
  if (fields.some((text) => /[\r\n\0]/.test(text))) faults.push('there is a line end in a field');
  const text = JSON.stringify([url, fields, body]);
  if (credential.some((line) => text.includes(line.split(' ').at(-1) as string)))
    faults.push('it has the key of the caller');
  return faults;
}

const never = [
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

/** A server on this machine that nobody has said anything about. */
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

/** Each answer in turn; one in two is well, so that nobody gives the upstream a rest. */
async function startForger(elsewhere: string, atEnd: AtEnd): Promise<RecordingUpstream> {
  const answers = forgingAnswers(elsewhere);
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
    const answer = n++ % 2 === 0 ? respondJson(200, []) : answers[(n >> 1) % answers.length];
    return answer?.(res, request, req);
  });
}

async function openGateway(elsewhere: string, atEnd: AtEnd): Promise<House> {
  const upstream = await startForger(elsewhere, atEnd);
  const target = { targets: [upstream.url], headers: { 'X-API-Key': upstreamKey }, retries: 0, timeout_ms: 2_000 };
  const forwarded = [
    { path: '/fixed', requires_auth: true, upstream: { ...target, path: '/fixed' } },
    { path: '/fixed', method: 'POST', requires_auth: true, upstream: { ...target, path: '/fixed' } },
    { path: '/open', upstream: { ...target, path: '/open' } },
    { path: '/open', method: 'POST', upstream: { ...target, path: '/open' } },
    { path: '/people/{id}', upstream: { ...target, path: '/staff/{id}/all' } },
  ].map((endpoint) => ({ service: 'http', ...endpoint }));
  const { url } = await spawnGateway({ settings: quiet, endpoints: forwarded }, atEnd);
  const withParameter = (value: string) => `/people/${value}`;
  return {
    name: 'gateway',
    url,
    credential: [`X-API-Key: ${goodKey}`],
    routes: ['/fixed', '/open'].map((path) => ({ path, withParameter, body: '{"a":1}' })),
    upstream,
    asked: /^\/(fixed|open|staff\/(?!(\.|%2e){1,2}\/)[^/?#\s]+\/all)(\?[^\s#]*)?$/i,
    tellsOrigin: true,
    shows: ['x-api-key', new RegExp(`^${upstreamKey}$`)],
  };
}

async function openProxy(elsewhere: string, atEnd: AtEnd): Promise<House> {
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
    asked: /^\/v2\/staffmember(\/(?!(\.|%2e){1,2}(\?|$))[^/?#\s]+)?(\?[^\s#]*)?$/i,
    shows: ['authorization', /^Bearer of-the-upstream$/i],
  };
}

async function openScheduling(atEnd: AtEnd): Promise<House> {
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

// Who hides half a request is not waited for long.
const quiet = { headers_timeout_ms: 2_000, request_timeout_ms: 2_000, log_sample_every: 100_000 };

const staffRoute: ForgedRoute = {
  path: '/v2/staffmember',
  withParameter: (value) => `/v2/staffmember/${value}`,
  body: '{"StaffId":"x"}',
};
