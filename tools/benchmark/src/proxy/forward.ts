import { pinning } from '../cores.ts';
import { cpuPerRequestFor } from '../cpu-per-request.ts';
import { type Figure, judge, median, spread } from '../figure.ts';
import { startPeer } from '../peer.ts';
import type { ServerProcess } from '../server-process.ts';
import { loadGenerator } from '../timed-load.ts';
import { readPerson, startLeanUpstream } from './person.ts';
import { startStaffProxy } from './staff-proxy.ts';

const rounds = 15;
const connections = 8;

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
    const peer = await startPeer(new URL('fast-gateway.mjs', import.meta.url), {
      args: [upstream.url],
      core: 'server',
    });
    running.push(peer);
    const paths = Array.from({ length: 64 }, (_, n) => readPath(n));
    const measure = (server: ServerProcess, seconds: number) =>
      cpuPerRequestFor({ server, paths, headers: proxy.headers, connections, seconds });
    for (const server of [proxy, peer]) await measure(server, 8);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const read = await measure(proxy, 1);
      const forwarded = await measure(peer, 1);
      ratios.push(read / forwarded);
      say(`${read.toFixed(1)} µs a read, ${forwarded.toFixed(1)} µs by fast-gateway`);
    }
    const bound = { name: 'staff-proxy: CPU per forwarded read to fast-gateway', max: 1, unit: '×' };
    const note = `${spread(ratios)} of a second, ${connections} connections of ${loadGenerator}, ${pinning}`;
    return [judge(bound, median(ratios), note)];
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
