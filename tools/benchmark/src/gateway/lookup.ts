import { type Figure, judge, median } from '../figure.ts';
import { sendRequests } from '../load.ts';
import { callablePath, createEndpoints } from './endpoints.ts';
import { type Gateway, startGateway } from './gateway.ts';

const rounds = 9;
const requestsPerRound = 4_000;

/** CPU per request of a gateway with 10,000 endpoints beside one with few, asked in turn for the same work. */
export async function measureLookup(say: (text: string) => void): Promise<readonly Figure[]> {
  const many = createEndpoints(10_000);
  const middle = callablePath(10_000);
  const one = many.filter((endpoint) => (endpoint as { path?: string }).path === middle);
  const gateways = [await startGateway({ endpoints: many }), await startGateway({ endpoints: one })] as const;
  try {
    for (const gateway of gateways) await cpuPerRequest(gateway, middle, requestsPerRound);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [large, small] = [
        await cpuPerRequest(gateways[0], middle, requestsPerRound),
        await cpuPerRequest(gateways[1], middle, requestsPerRound),
      ];
      ratios.push(large / small);
      say(`${large.toFixed(1)} µs with 10,000 endpoints, ${small.toFixed(1)} µs with one`);
    }
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} in ${rounds} rounds`;
    const bound = { name: 'gateway: CPU per request, 10,000 endpoints to 1', max: 1.1, unit: '×' };
    return [judge(bound, median(ratios), spread)];
  } finally {
    for (const gateway of gateways) await gateway.stop();
  }
}

/** Microseconds of the server's own. */
async function cpuPerRequest({ url, ask }: Gateway, path: string, count: number): Promise<number> {
  const before = await ask<number>('cpu');
  const { failed } = await sendRequests({ url, path: () => path, connections: 8 }, count);
  if (failed > 0) throw new Error(`${failed} of ${count} requests for ${path} failed.`);
  return ((await ask<number>('cpu')) - before) / count;
}
