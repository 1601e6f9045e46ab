import { Agent } from 'node:http';
import { type Compared, compareServers, type Rounds, type Run, type Say } from '../compare-servers.ts';
import { pinning } from '../cores.ts';
import { type Figure, median, spread, toFigure } from '../figure.ts';
import { timeRequest } from '../load.ts';
import { loadGenerator } from '../load-generator.ts';
import { startFastGateway } from '../peers.ts';
import { stop } from '../server-process.ts';
import { startLeanUpstream, startStaffProxy } from './staff-proxy.ts';

const connections = 8;
export const ours = 'staff-proxy';
export const theirs = 'fast-gateway';

/** Returns a different person each time, so that no reads are coalesced; few enough for a peer that caches URLs. */
export const readPath = (n: number) => `/v2/staffmember/S-${1_000 + (n % 64)}?$expand=Tags,Skillset`;

/** Compares a forwarded read with key, limit, policy, validation, metrics and log to a peer that only forwards. */
export async function measureForward(say: Say, { record }: Run): Promise<readonly Figure[]> {
  const compared = await compareForwarding({ title: 'forwarded reads of a person', warmSeconds: 8, rounds: 15 }, say);
  record(compared);
  return [toPeer({ name: 'staff-proxy: CPU per forwarded read to fast-gateway', max: 1, unit: '×' }, compared)];
}

/** Compares a read beyond the contract, with key, limit, session, metrics and log, to a peer that only forwards. */
export async function measurePassThrough(say: Say, { record }: Run): Promise<readonly Figure[]> {
  const rounds = { title: 'reads that are passed through', warmSeconds: 8, rounds: 15 };
  const compared = await compareForwarding(rounds, say, {
    prefix: '/v2/schedule',
    passThrough: '/v2/schedule/{rest*}',
  });
  record(compared);
  return [toPeer({ name: 'staff-proxy: CPU per passed-through read to fast-gateway', max: 0.8, unit: '×' }, compared)];
}

function toPeer(bound: Parameters<typeof toFigure>[0], compared: Compared): Figure {
  const ratios = compared.ratios(ours, theirs);
  const note = `${spread(ratios)} of one second each, ${connections} connections of ${loadGenerator}, ${pinning}`;
  return toFigure(bound, median(ratios), note);
}

/** Compares both in front of the same upstream, in rounds of a second. */
export async function compareForwarding(
  rounds: Pick<Rounds, 'title' | 'warmSeconds' | 'rounds' | 'isEnough'>,
  say: Say,
  { prefix = '', passThrough }: { readonly prefix?: string; readonly passThrough?: string } = {},
): Promise<Compared> {
  await using servers = new AsyncDisposableStack();
  const upstream = servers.adopt(await startLeanUpstream(), stop);
  const proxy = servers.adopt(await startStaffProxy(upstream.url, passThrough), stop);
  const peer = servers.adopt(await startFastGateway(upstream.url), stop);
  const load = { paths: Array.from({ length: 64 }, (_, n) => prefix + readPath(n)), headers: [proxy.headers] };
  const contenders = [
    { name: ours, server: proxy, ...load },
    { name: theirs, server: peer, ...load },
  ];
  return await compareServers(contenders, { ...rounds, connections, seconds: 1 }, say);
}

const timedRounds = 15;
const readsPerRound = 200;

/** Measures the time that the proxy adds to a read of its upstream, one read at a time. */
export async function measureAddedTime(say: Say): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const agent = servers.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (one) => one.destroy());
  const upstream = servers.adopt(await startLeanUpstream(), stop);
  const proxy = servers.adopt(await startStaffProxy(upstream.url), stop);
  const timeReads = async ({ url }: { readonly url: string }) => {
    const times: number[] = [];
    for (let n = 0; n < readsPerRound; n++) {
      const { status, endMs } = await timeRequest(url + readPath(n), { agent, headers: proxy.headers });
      if (status !== 200) throw new Error(`The response to ${url}${readPath(n)} is ${status}.`);
      times.push(endMs);
    }
    return times;
  };
  for (let warm = 0; warm < 10; warm++) await timeReads(proxy);
  await timeReads(upstream);
  const times: { readonly through: number[]; readonly direct: number[] } = { through: [], direct: [] };
  for (let round = 0; round < timedRounds; round++) {
    times.through.push(...(await timeReads(proxy)));
    times.direct.push(...(await timeReads(upstream)));
  }
  const [p50, alone] = [median(times.through), median(times.direct)];
  say(`p50 ${p50.toFixed(3)} ms through the proxy, ${alone.toFixed(3)} ms from the upstream`);
  const note = `${alone.toFixed(2)} ms without it, ${timedRounds * readsPerRound} reads each`;
  return [toFigure({ name: 'staff-proxy: added to a read, p50', max: 1, unit: 'ms' }, p50 - alone, note)];
}
