import { cpuPerRequest } from '../cpu-per-request.ts';
import { type Figure, judge, median, spread } from '../figure.ts';
import { startPeer } from '../peer.ts';
import type { ServerProcess } from '../server-process.ts';
import { readPerson, startLeanUpstream } from './person.ts';
import { startStaffProxy } from './staff-proxy.ts';

const rounds = 9;
const requestsPerRound = 4_000;

/** Other people each time, so that nothing is answered once for several callers; few enough for whoever keeps addresses. */
export const readPath = (n: number) => `/v2/staffmember/S-${1_000 + (n % 64)}?$expand=Tags,Skillset`;

/** CPU per forwarded read, with key, limit, policy, validation, metrics and log, beside a peer that only forwards. */
export async function measureForward(say: (text: string) => void): Promise<readonly Figure[]> {
  const running: ServerProcess[] = [];
  try {
    const upstream = await startLeanUpstream(await readPerson());
    running.push(upstream);
    const proxy = await startStaffProxy(upstream.url);
    running.push(proxy);
    const peer = await startPeer(new URL('fast-gateway.mjs', import.meta.url), upstream.url);
    running.push(peer);
    const ours = { server: proxy, path: readPath, headers: proxy.headers };
    const theirs = { server: peer, path: readPath, headers: proxy.headers };
    for (const asked of [ours, theirs]) await cpuPerRequest(asked, 2 * requestsPerRound);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const read = await cpuPerRequest(ours, requestsPerRound);
      const forwarded = await cpuPerRequest(theirs, requestsPerRound);
      ratios.push(read / forwarded);
      say(`${read.toFixed(1)} µs a read, ${forwarded.toFixed(1)} µs by fast-gateway`);
    }
    const bound = { name: 'staff-proxy: CPU per forwarded read to fast-gateway', max: 1, unit: '×' };
    return [judge(bound, median(ratios), spread(ratios))];
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
