import type { Run } from '../benchmark.ts';
import { type Figure, median, notRun, spread, toFigure } from '../figure.ts';
import { readPath } from '../proxy/forward.ts';
import { readPerson, startLeanUpstream } from '../proxy/person.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Contender, compareServers } from '../side-by-side.ts';
import { startGateway } from './gateway.ts';
import { hasNginx, startFastGateway, startNginx } from './peers.ts';
import { createCallers, priceSettings } from './price.ts';

const ours = 'rostergate';
const peer = 'fast-gateway with key and limit';
const nginx = 'nginx with key map and limit_req';
const connections = 8;
const bounds = {
  [peer]: { name: `gateway: forwarding, CPU to ${peer}`, max: 0.9, unit: '×' },
  [nginx]: { name: `gateway: forwarding, CPU to ${nginx}`, max: 5, unit: '×' },
};

/** Compares the whole pipeline with proxies that forward behind a key and a limit and do less. */
export async function measureGatewayForward(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  const { keys, digests, headers } = createCallers();
  const running: ServerProcess[] = [];
  const contenders: Contender[] = [];
  const paths = Array.from({ length: 64 }, (_, n) => readPath(n));
  const add = (name: string, server: ServerProcess) => {
    running.push(server);
    contenders.push({ name, server, paths, headers });
  };
  try {
    const upstream = await startLeanUpstream(await readPerson());
    running.push(upstream);
    add(ours, await startGateway({ endpoints: [createForward(upstream.url)], keys, settings: priceSettings }));
    add(peer, await startFastGateway(upstream.url, digests));
    if (hasNginx) {
      add(
        nginx,
        await startNginx(
          upstream.url,
          headers.map((one) => String(one['X-API-Key'])),
        ),
      );
    }
    const title = 'forwarding';
    const compared = await compareServers(
      contenders,
      { title, connections, warmSeconds: 6, rounds: 9, seconds: 1 },
      say,
    );
    record(compared);
    return [peer, nginx].map((name) => {
      const bound = bounds[name as keyof typeof bounds];
      if (name === nginx && !hasNginx) return notRun(bound, 'no nginx on this machine');
      const ratios = compared.ratios(ours, name);
      return toFigure(bound, median(ratios), spread(ratios));
    });
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}

function createForward(upstreamUrl: string): object {
  return {
    ...{ path: '/v2/staffmember/{key}', service: 'http', requires_auth: true },
    upstream: { targets: [upstreamUrl] },
  };
}
