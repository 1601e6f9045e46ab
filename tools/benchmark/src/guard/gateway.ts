import { bytesPerRequest } from '../bytes-per-request.ts';
import { type Figure, judge, spread } from '../figure.ts';
import { startGateway } from '../gateway/gateway.ts';
import { startLocalPeer } from '../gateway/peers.ts';
import { createCallers, createPriceEndpoints, middleOf, priceService, priceSettings } from '../gateway/price.ts';
import type { Run } from '../main.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Compared, type Contender, compareServers } from '../side-by-side.ts';
import { guardedMax } from './recorded-ratios.ts';

const one = 'rostergate, 1 endpoint';
const many = 'rostergate, 10,000 endpoints';
const bare = 'bare Express 5';

/** A local service beside a bare Express route, and with 10,000 endpoints beside itself with one. */
export async function guardGateway(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  const { keys, digests, headers } = createCallers();
  const running: ServerProcess[] = [];
  const contenders: Contender[] = [];
  const add = (name: string, server: ServerProcess, count: number) => {
    running.push(server);
    contenders.push({ name, server, paths: [middleOf(count)], headers });
  };
  const start = (count: number) =>
    startGateway({
      ...{ endpoints: createPriceEndpoints(count), keys },
      ...{ services: { 'price.ts': priceService }, settings: priceSettings },
    });
  try {
    add(one, await start(1), 1);
    add(many, await start(10_000), 10_000);
    add(bare, await startLocalPeer('bare-express', 1, digests), 1);
    const ratios = [
      { name: one, to: bare, max: guardedMax('gatewayToBare') },
      { name: many, to: one, max: guardedMax('manyEndpointsToOne') },
    ];
    const rounds = {
      ...{ title: 'guard: a local service', connections: 8, warmSeconds: 2, rounds: 4, seconds: 1 },
      isEnough: ({ quietest }: Pick<Compared, 'quietest'>) =>
        ratios.every(({ name, to, max }) => quietest(name, to) <= max),
    };
    const compared = await compareServers(contenders, rounds, say);
    record(compared);
    const [ours, , theirs] = contenders as [Contender, Contender, Contender];
    const [bytes, bareBytes] = [await bytesPerRequest(ours), await bytesPerRequest(theirs)];
    return [
      ...ratios.map(({ name, to, max }) =>
        judge(
          { name: `guard: CPU of ${name} to ${to}`, max, unit: '×' },
          compared.quietest(name, to),
          spread(compared.ratios(name, to)),
        ),
      ),
      judge(
        {
          ...{ name: `guard: bytes allocated for a request, ${one} to ${bare}` },
          ...{ max: guardedMax('bytesToBare'), unit: '×' },
        },
        bytes / bareBytes,
        `${Math.round(bytes)} beside ${Math.round(bareBytes)}`,
      ),
    ];
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
