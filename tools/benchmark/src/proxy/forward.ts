import type { Run } from '../benchmark.ts';
import { pinning } from '../cores.ts';
import { type Figure, median, spread, toFigure } from '../figure.ts';
import { loadGenerator } from '../load-generator.ts';
import { type ServerProcess, startPeer } from '../server-process.ts';
import { type Compared, compareServers, type Rounds } from '../side-by-side.ts';
import { readPerson, startLeanUpstream } from './person.ts';
import { startStaffProxy } from './staff-proxy.ts';

const connections = 8;
export const ours = 'staff-proxy';
export const theirs = 'fast-gateway';

/** Returns a different person each time, so that no reads are coalesced; few enough for a peer that caches URLs. */
export const readPath = (n: number) => `/v2/staffmember/S-${1_000 + (n % 64)}?$expand=Tags,Skillset`;

/** Compares a forwarded read with key, limit, policy, validation, metrics and log to a peer that only forwards. */
export async function measureForward(say: (text: string) => void, { record }: Run): Promise<readonly Figure[]> {
  const compared = await compareForwarding({ title: 'forwarded reads of a person', warmSeconds: 8, rounds: 15 }, say);
  record(compared);
  const ratios = compared.ratios(ours, theirs);
  const bound = { name: 'staff-proxy: CPU per forwarded read to fast-gateway', max: 1, unit: '×' };
  const note = `${spread(ratios)} of one second each, ${connections} connections of ${loadGenerator}, ${pinning}`;
  return [toFigure(bound, median(ratios), note)];
}

/** Compares both in front of the same upstream, in rounds of a second. */
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
