import { spawnSync } from 'node:child_process';
import { startRedis } from '../../../../packages/access/test/start-redis.ts';
import type { Say } from '../compare-servers.ts';
import { type Figure, median, notRun, toFigure } from '../figure.ts';
import { sendSteadily } from '../load-generator.ts';
import { type ServerProcess, stop } from '../server-process.ts';
import { createCallers, middleOf } from './configurations.ts';
import { startPriceGateway } from './gateway.ts';

const perSecond = 5_000;
const rounds = 7;
const bound = { name: 'gateway: limits in Redis, added p50 at 5,000 requests/s', max: 0.5, unit: 'ms' };

/** Measures the time that counting in Redis adds to a request, compared with counting in the process. */
export async function measureRedis(say: Say): Promise<readonly Figure[]> {
  if (spawnSync('redis-server', ['--version']).error !== undefined) return [notRun(bound, 'no Redis on this machine')];
  await using servers = new AsyncDisposableStack();
  const { keys, headers } = createCallers();
  const redis = servers.adopt(await startRedis(), (server) => server.close());
  let turn = 0;
  const measure = async ({ url }: ServerProcess, seconds: number) => {
    const sent = headers[turn++ % headers.length] ?? {};
    const { failed, p50Ms } = await sendSteadily({
      ...{ url, paths: [middleOf(1)], headers: sent, connections: 64, perSecond, seconds },
    });
    if (failed > 0) throw new Error(`${failed} requests failed.`);
    return p50Ms;
  };
  const inRedis = servers.adopt(await startPriceGateway(1, keys, { settings: { redis_url: redis.url } }), stop);
  const inProcess = servers.adopt(await startPriceGateway(1, keys), stop);
  for (const server of [inRedis, inProcess]) await measure(server, 4);
  const times: { readonly remote: number[]; readonly local: number[] } = { remote: [], local: [] };
  for (let round = 0; round < rounds; round++) {
    const [remote, local] = [await measure(inRedis, 2), await measure(inProcess, 2)];
    times.remote.push(remote);
    times.local.push(local);
    say(`p50 ${remote.toFixed(2)} ms counted in Redis, ${local.toFixed(2)} ms in the process`);
  }
  // The fastest round of each: other programs only lengthen a round.
  const [remote, local] = [Math.min(...times.remote), Math.min(...times.local)];
  const note = `${remote.toFixed(2)} ms beside ${local.toFixed(2)} ms in the fastest of ${rounds} rounds, ${median(times.remote).toFixed(2)} beside ${median(times.local).toFixed(2)} in the median`;
  return [toFigure(bound, remote - local, note)];
}
