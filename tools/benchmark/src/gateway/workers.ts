import type { Run } from '../benchmark.ts';
import { type Figure, median, notRun, spread, toFigure } from '../figure.ts';
import { canReadProcesses } from '../process-tree.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Contender, compareServers } from '../side-by-side.ts';
import { startGateway } from './gateway.ts';
import { createCallers, createPriceEndpoints, middleOf, priceService, priceSettings } from './price.ts';

const bound = { name: 'gateway: CPU per request, two workers to one process', max: 1.1, unit: '×' };
const [two, one] = ['two workers', 'one process'];

/** Compares two workers with one process; child processes count. */
export async function measureWorkers(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  if (!canReadProcesses()) return [notRun(bound, 'this machine does not report the CPU of processes')];
  const { keys, headers } = createCallers();
  const running: ServerProcess[] = [];
  const contenders: Contender[] = [];
  try {
    for (const [name, workers] of [[two, 2] as const, [one, 1] as const]) {
      const server = await startGateway({
        ...{ endpoints: createPriceEndpoints(1), keys, services: { 'price.ts': priceService } },
        ...{ settings: { ...priceSettings, workers }, isProbed: false, core: 'any' },
      });
      running.push(server);
      contenders.push({ name, server, paths: [middleOf(1)], headers });
    }
    const rounds = { title: 'gateway by processes', connections: 16, warmSeconds: 6, rounds: 9, seconds: 2 };
    const compared = await compareServers(contenders, rounds, say);
    record(compared);
    const ratios = compared.ratios(two, one);
    return [toFigure(bound, median(ratios), spread(ratios))];
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
