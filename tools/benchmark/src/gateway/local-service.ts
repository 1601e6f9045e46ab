import { type Compared, type Contender, compareServers, type Run, type Say } from '../compare-servers.ts';
import { type Figure, notRun, ratioFigure } from '../figure.ts';
import { type LocalPeer, startLocalPeer } from '../peers.ts';
import { canReadProcesses } from '../process-tree.ts';
import { type ServerProcess, stop } from '../server-process.ts';
import { createCallers, middleOf } from './configurations.ts';
import { startPriceGateway } from './gateway.ts';

const ours = 'rostergate';
const names: Readonly<Record<LocalPeer, string>> = {
  'bare-http': 'bare node:http',
  'bare-express': 'bare Express 5',
  fastify: 'Fastify, equal work',
  'assembled-express': 'Express with validator and limit',
};

const defaultCounts = [1, 1_000] as const;

/** Compares a local service behind the whole pipeline with other Node servers that respond the same. */
export async function measureLocal(say: Say, { record, endpoints }: Run): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of endpoints === undefined ? defaultCounts : [endpoints]) {
    const compared = await compareLocal(count, say);
    record(compared);
    figures.push(...toLocalFigures(compared, count));
  }
  return figures;
}

async function compareLocal(count: number, say: Say): Promise<Compared> {
  await using servers = new AsyncDisposableStack();
  const { keys, digests, headers } = createCallers();
  const paths = [middleOf(count)];
  const contenders: Contender[] = [];
  const add = (name: string, server: ServerProcess) =>
    contenders.push({ name, server: servers.adopt(server, stop), paths, headers });
  add(ours, await startPriceGateway(count, keys));
  for (const [peer, name] of Object.entries(names)) {
    add(name, await startLocalPeer(peer as LocalPeer, count, digests));
  }
  const title = `local service, ${count.toLocaleString('en')} ${count === 1 ? 'endpoint' : 'endpoints'}`;
  return await compareServers(contenders, { title, connections: 8, warmSeconds: 4, rounds: 7, seconds: 1 }, say);
}

function toLocalFigures(compared: Compared, count: number): Figure[] {
  const toRatio = (peer: LocalPeer, max: number) =>
    ratioFigure(
      { name: `gateway: ${compared.title}, CPU to ${names[peer]}`, max, unit: '×' },
      compared.ratios(ours, names[peer]),
    );
  const assembled = toRatio('assembled-express', count < 1_000 ? 1 / 3.5 : 1 / 60);
  return count === 1 ? [toRatio('bare-express', 0.75), toRatio('fastify', 1), assembled] : [assembled];
}

const many = '10,000 endpoints';
const one = '1 endpoint';

/** Compares a gateway with 10,000 endpoints with one that has a single endpoint. */
export async function measureLookup(say: Say, { record }: Run): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const { keys, headers } = createCallers();
  const contenders: Contender[] = [];
  for (const [name, count] of [[many, 10_000] as const, [one, 1] as const]) {
    const server = servers.adopt(await startPriceGateway(count, keys), stop);
    contenders.push({ name, server, paths: [middleOf(count)], headers });
  }
  const rounds = { title: 'gateway by endpoints', connections: 8, warmSeconds: 4, rounds: 9, seconds: 1 };
  const compared = await compareServers(contenders, rounds, say);
  record(compared);
  const bound = { name: 'gateway: CPU per request, 10,000 endpoints to 1', max: 1.1, unit: '×' };
  return [ratioFigure(bound, compared.ratios(many, one))];
}

const [two, single] = ['two workers', 'one process'];

/** Compares two workers with one process; child processes count. */
export async function measureWorkers(say: Say, { record }: Run): Promise<readonly Figure[]> {
  const bound = { name: 'gateway: CPU per request, two workers to one process', max: 1.1, unit: '×' };
  if (!canReadProcesses()) return [notRun(bound, 'this machine does not report the CPU of processes')];
  await using servers = new AsyncDisposableStack();
  const { keys, headers } = createCallers();
  const contenders: Contender[] = [];
  for (const [name, workers] of [[two, 2] as const, [single, 1] as const]) {
    const settings = { workers };
    const server = servers.adopt(await startPriceGateway(1, keys, { settings, isProbed: false, core: 'any' }), stop);
    contenders.push({ name, server, paths: [middleOf(1)], headers });
  }
  const rounds = { title: 'gateway by processes', connections: 16, warmSeconds: 6, rounds: 9, seconds: 2 };
  const compared = await compareServers(contenders, rounds, say);
  record(compared);
  return [ratioFigure(bound, compared.ratios(two, single))];
}
