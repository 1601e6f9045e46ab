import type { Run } from '../benchmark.ts';
import { type Figure, median, spread, toFigure } from '../figure.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Contender, compareServers } from '../side-by-side.ts';
import { startGateway } from './gateway.ts';
import { createCallers, createPriceEndpoints, middleOf, priceService, priceSettings } from './price.ts';

const many = '10,000 endpoints';
const one = '1 endpoint';

/** Compares a gateway with 10,000 endpoints with one that has a single endpoint. */
export async function measureLookup(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  const { keys, headers } = createCallers();
  const running: ServerProcess[] = [];
  const contenders: Contender[] = [];
  try {
    for (const [name, count] of [[many, 10_000] as const, [one, 1] as const]) {
      const server = await startGateway({
        ...{ endpoints: createPriceEndpoints(count), keys },
        ...{ services: { 'price.ts': priceService }, settings: priceSettings },
      });
      running.push(server);
      contenders.push({ name, server, paths: [middleOf(count)], headers });
    }
    const rounds = { title: 'gateway by endpoints', connections: 8, warmSeconds: 4, rounds: 9, seconds: 1 };
    const compared = await compareServers(contenders, rounds, say);
    record(compared);
    const ratios = compared.ratios(many, one);
    const bound = { name: 'gateway: CPU per request, 10,000 endpoints to 1', max: 1.1, unit: '×' };
    return [toFigure(bound, median(ratios), spread(ratios))];
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
