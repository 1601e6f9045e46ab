import { type Contender, compareServers, type Run, type Say } from '../compare-servers.ts';
import { type Figure, notRun, ratioFigure } from '../figure.ts';
import { hasNginx, startFastGateway, startNginx } from '../peers.ts';
import { readPath } from '../proxy/forward.ts';
import { startLeanUpstream } from '../proxy/staff-proxy.ts';
import { type ServerProcess, stop } from '../server-process.ts';
import { createCallers, priceSettings } from './configurations.ts';
import { startGateway } from './gateway.ts';

const ours = 'rostergate';
const peer = 'fast-gateway with key and limit';
const nginx = 'nginx with key map and limit_req';

/** Compares the whole pipeline with proxies that forward behind a key and a limit and do less. */
export async function measureGatewayForward(say: Say, { record }: Run): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const { keys, digests, headers } = createCallers();
  const contenders: Contender[] = [];
  const paths = Array.from({ length: 64 }, (_, n) => readPath(n));
  const add = (name: string, server: ServerProcess) =>
    contenders.push({ name, server: servers.adopt(server, stop), paths, headers });
  const upstream = servers.adopt(await startLeanUpstream(), stop);
  add(ours, await startGateway({ endpoints: [createForward(upstream.url)], keys, settings: priceSettings }));
  add(peer, await startFastGateway(upstream.url, digests));
  const secrets = headers.map((one) => String(one['X-API-Key']));
  if (hasNginx) add(nginx, await startNginx(upstream.url, secrets));
  const rounds = { title: 'forwarding', connections: 8, warmSeconds: 6, rounds: 9, seconds: 1 };
  const compared = await compareServers(contenders, rounds, say);
  record(compared);
  const nginxBound = { name: `gateway: forwarding, CPU to ${nginx}`, max: 5, unit: '×' };
  return [
    ratioFigure({ name: `gateway: forwarding, CPU to ${peer}`, max: 0.9, unit: '×' }, compared.ratios(ours, peer)),
    hasNginx ? ratioFigure(nginxBound, compared.ratios(ours, nginx)) : notRun(nginxBound, 'no nginx on this machine'),
  ];
}

/** Compares a prefix route with an ordinary endpoint that forwards the same requests, and 1,000 of them with one. */
export async function measurePrefix(say: Say, { record }: Run): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const { keys, headers } = createCallers();
  const upstream = servers.adopt(await startLeanUpstream(), stop);
  const paths = Array.from({ length: 64 }, (_, n) => readPath(n));
  const prefix = createForward(upstream.url, '/v2/{rest*}');
  const others = Array.from({ length: 999 }, (_, n) => createForward(upstream.url, `/v${n + 3}/{rest*}`));
  const contenders: Contender[] = [];
  for (const [name, endpoints] of Object.entries({
    'an endpoint with a parameter': [createForward(upstream.url)],
    'a prefix route': [prefix],
    '1,000 prefix routes': [...others, prefix],
  })) {
    const server = servers.adopt(await startGateway({ endpoints, keys, settings: priceSettings }), stop);
    contenders.push({ name, server, paths, headers });
  }
  const rounds = { title: 'prefix routes', connections: 8, warmSeconds: 6, rounds: 9, seconds: 1 };
  const compared = await compareServers(contenders, rounds, say);
  record(compared);
  return [
    ratioFigure(
      { name: 'gateway: a prefix route, CPU to an endpoint with a parameter', max: 1.05, unit: '×' },
      compared.ratios('a prefix route', 'an endpoint with a parameter'),
    ),
    ratioFigure(
      { name: 'gateway: 1,000 prefix routes, CPU to one', max: 1.1, unit: '×' },
      compared.ratios('1,000 prefix routes', 'a prefix route'),
    ),
  ];
}

function createForward(upstreamUrl: string, path = '/v2/staffmember/{key}'): object {
  return { path, service: 'http', requires_auth: true, upstream: { targets: [upstreamUrl] } };
}
