import type { Say } from '../compare-servers.ts';
import { cpuPerRequest } from '../cost-per-request.ts';
import { type Figure, ratioFigure } from '../figure.ts';
import { type ServerProcess, stop } from '../server-process.ts';
import { createCallers, middleOf } from './configurations.ts';
import { startPriceGateway } from './gateway.ts';

const rounds = 7;
const requests = 4_000;
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
  const [three, one] = [await start('three'), await start('one')];
  let turn = 0;
  const measure = (server: ServerProcess) =>
    cpuPerRequest({ server, path: middleOf(1), headers: headers[turn++ % headers.length] ?? {} }, requests);
  for (const server of [three, one]) await measure(server);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [threeUs, oneUs] = [await measure(three), await measure(one)];
    ratios.push(threeUs / oneUs);
    say(`${threeUs.toFixed(0)} µs with three windows, ${oneUs.toFixed(0)} µs with one`);
  }
  return [ratioFigure({ name: 'gateway: a plan with three windows, CPU to one window', max: 1.3, unit: '×' }, ratios)];
}
