import { pinning } from '../cores.ts';
import { type Figure, judge, median, spread } from '../figure.ts';
import type { Run } from '../main.ts';
import { startPeer } from '../peer.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Compared, compareServers, type Rounds } from '../side-by-side.ts';
import { loadGenerator } from '../timed-load.ts';
import { readPerson, startLeanUpstream } from './person.ts';
import { startStaffProxy } from './staff-proxy.ts';

const connections = 8;
export const ours = 'staff-proxy';
export const theirs = 'fast-gateway';

/** Other people each time, so that nothing is answered once for several callers; few enough for whoever keeps addresses. */
export const readPath = (n: number) => `/v2/staffmember/S-${1_000 + (n % 64)}?$expand=Tags,Skillset`;

/** CPU per forwarded read, with key, limit, policy, validation, metrics and log, beside a peer that only forwards. */
export async function measureForward(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  const compared = await compareForwarding({ title: 'forwarded reads of a person', warmSeconds: 8, rounds: 15 }, say);
  record(compared);
  const ratios = compared.ratios(ours, theirs);
  const bound = { name: 'staff-proxy: CPU per forwarded read to fast-gateway', max: 1, unit: '×' };
  const note = `${spread(ratios)} of a second, ${connections} connections of ${loadGenerator}, ${pinning}`;
  return [judge(bound, median(ratios), note)];
}

/** Both in front of the same upstream, rounds of a second each. */
export async function compareForwarding(
  rounds: Pick<Rounds, 'title' | 'warmSeconds' | 'rounds' | 'isEnough'>,
  say: (text: string) => void,
): Promise<Compared> {
  const running: ServerProcess[] = [];
  try {
    const upstream = await startLeanUpstream(await readPerson());
    running.push(upstream);
    const proxy = await startStaffProxy(upstream.url);
    running.push(proxy);
    const script = new URL('fast-gateway.mjs', import.meta.url);
    const peer = await startPeer(script, { args: [upstream.url] });
    running.push(peer);
    const asked = { paths: Array.from({ length: 64 }, (_, n) => readPath(n)), headers: [proxy.headers] };
    const contenders = [
      { name: ours, server: proxy, ...asked },
      { name: theirs, server: peer, ...asked },
    ];
    return await compareServers(contenders, { ...rounds, connections, seconds: 1 }, say);
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
