import type { Run } from '../benchmark.ts';
import { type Figure, median, spread, toFigure } from '../figure.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Compared, type Contender, compareServers } from '../side-by-side.ts';
import { startGateway } from './gateway.ts';
import { type LocalPeer, startLocalPeer } from './peers.ts';
import { createCallers, createPriceEndpoints, middleOf, priceService, priceSettings } from './price.ts';

const ours = 'rostergate';
const names: Readonly<Record<LocalPeer, string>> = {
  'bare-http': 'bare node:http',
  'bare-express': 'bare Express 5',
  fastify: 'Fastify, equal work',
  'assembled-express': 'Express with validator and limit',
};

const defaultCounts = [1, 1_000] as const;

/** Compares a local service behind the whole pipeline with other Node servers that respond the same. */
export async function measureLocal(
  say: (text: string) => void,
  { record, endpoints }: Run,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of endpoints === undefined ? defaultCounts : [endpoints]) {
    const compared = await compareLocal(count, say);
    record(compared);
    figures.push(...toLocalFigures(compared, count));
  }
  return figures;
}

async function compareLocal(count: number, say: (text: string) => void): Promise<Compared> {
  const { keys, digests, headers } = createCallers();
  const running: ServerProcess[] = [];
  const contenders: Contender[] = [];
  const add = (name: string, server: ServerProcess) => {
    running.push(server);
    contenders.push({ name, server, paths: [middleOf(count)], headers });
  };
  try {
    const services = { 'price.ts': priceService };
    const settings = priceSettings;
    add(ours, await startGateway({ endpoints: createPriceEndpoints(count), keys, services, settings }));
    for (const [peer, name] of Object.entries(names)) {
      add(name, await startLocalPeer(peer as LocalPeer, count, digests));
    }
    const title = `local service, ${count.toLocaleString('en')} ${count === 1 ? 'endpoint' : 'endpoints'}`;
    return await compareServers(contenders, { title, connections: 8, warmSeconds: 4, rounds: 7, seconds: 1 }, say);
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}

function toLocalFigures({ title, ratios }: Compared, count: number): Figure[] {
  const toRatio = (peer: LocalPeer, max: number) => {
    const values = ratios(ours, names[peer]);
    return toFigure(
      { name: `gateway: ${title}, CPU to ${names[peer]}`, max, unit: '×' },
      median(values),
      spread(values),
    );
  };
  const assembled = toRatio('assembled-express', count < 1_000 ? 1 / 3.5 : 1 / 60);
  return count === 1 ? [toRatio('bare-express', 0.75), toRatio('fastify', 1), assembled] : [assembled];
}
