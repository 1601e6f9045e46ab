import type { Say } from '../compare-servers.ts';
import { type Figure, ratioFigure } from '../figure.ts';
import { stop } from '../server-process.ts';
import { compareCosts } from './compare-costs.ts';
import { createCallers, middleOf } from './configurations.ts';
import { startPriceGateway } from './gateway.ts';

/** Compares the CPU of a request that is counted for the usage of its key with one that is not. */
export async function measureUsage(say: Say): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const { keys, headers } = createCallers();
  const start = async (settings: object) => servers.adopt(await startPriceGateway(1, keys, { settings }), stop);
  const path = middleOf(1);
  const counted = { name: 'with usage', server: await start({ usage: {} }), path };
  const uncounted = { name: 'without', server: await start({}), path };
  const ratios = await compareCosts(say, headers, [counted, uncounted]);
  return [
    ratioFigure({ name: 'gateway: a request counted for usage, CPU to one without', max: 1.1, unit: '×' }, ratios),
  ];
}
