import type { Say } from '../compare-servers.ts';
import { type Figure, ratioFigure } from '../figure.ts';
import { stop } from '../server-process.ts';
import { compareCosts } from './compare-costs.ts';
import { createCallers, middleOf } from './configurations.ts';
import { startPriceGateway } from './gateway.ts';

const most = 1_000_000;
const plans = {
  one: { limits: [{ requests: most, per: 'minute' }] },
  three: {
    limits: [
      { requests: 10_000, per: 'second' },
      { requests: most, per: 'minute' },
      { requests: most, per: 'day' },
    ],
  },
};

/** Compares the CPU of a request under a plan with three windows with that under a plan with one. */
export async function measurePlans(say: Say): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const { keys, headers } = createCallers();
  const start = async (default_plan: string) =>
    servers.adopt(await startPriceGateway(1, keys, { settings: { plans, default_plan } }), stop);
  const path = middleOf(1);
  const three = { name: 'with three windows', server: await start('three'), path };
  const one = { name: 'with one', server: await start('one'), path };
  const ratios = await compareCosts(say, headers, [three, one]);
  return [ratioFigure({ name: 'gateway: a plan with three windows, CPU to one window', max: 1.3, unit: '×' }, ratios)];
}
