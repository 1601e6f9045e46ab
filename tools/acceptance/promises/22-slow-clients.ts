import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, percentile, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askMany, askOnce } from '../src/promises/ask.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { fixedEndpoint } from '../src/promises/live-edits.ts';
import { inspectable, liveHeapBytes, readResources } from '../src/promises/read-resources.ts';
import { openSlowClients, type SlowTarget, slowKinds } from '../src/promises/slow-clients.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { toLatenessFigure } from '../src/promises/time-figures.ts';
import type { ServerProcess } from '../src/server-process.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

const mebibyte = 1024 * 1024;
const slowCount = 1_000;
const timeouts = { headers_timeout_ms: 1_500, request_timeout_ms: 3_000, keep_alive_timeout_ms: 2_000 };
/** The server closes a connection that reads nothing after one to two minutes. */
const stalledMsMax = 120_000;
/**
 * Servers check their connections four times a second and leave a second to read a response. The rest is for a machine
 * with two cores on which 2,000 connections end at once: 1.1 to 2.04 s were measured there.
 */
const lateMsMax = 3_000;
/** The limit for other clients. */
const othersMsMax = 100;
/** MiB that the engine uses for data about hot code. */
const moreHeapMax = 4;

interface Target extends SlowTarget {
  readonly name: string;
  readonly server: ServerProcess;
  /** The URL that other clients request. */
  readonly askUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const promise = definePromise({
  number: 22,
  title: 'Slow clients do not starve others',
  done: '1,000 connections are silent, drip a head, a body or chunks, read nothing, idle or are half closed, at the gateway and at the proxy, while other clients send requests',
  excludes:
    'time after a deadline in which the server or the client waited for the CPU, and wrong statuses of such a client',
  target: 'p99 of other clients under 100 ms',
  runsAlone: 'always',
  async run(trial) {
    const targets = [await startGateway(trial.atEnd), await startStaffProxy(trial.atEnd)];
    return (await Promise.all(targets.map((target) => tryTarget(target, trial)))).flat();
  },
});

async function tryTarget(target: Target, { byScale, say, atEnd }: Trial): Promise<Figure[]> {
  const waves = byScale({ ci: 1, full: 4 });
  const { name, url, server, askUrl, headers } = target;
  const pid = server.child.pid as number;
  const stalls = watchStalls([pid, process.pid], atEnd);
  const longBytes = (await askOnce(url + target.longPath)).text.length;
  const kinds = slowKinds(target, longBytes);
  await askMany({ count: 200, abreast: 4, ask: () => ({ url: askUrl, headers }) });
  // The first wave warms up: compiled code, and memory that the system does not take back.
  await sendWave(kinds.filter(({ closedByMs }) => closedByMs !== undefined));
  const [{ files: filesBefore }, heapBefore, residentBefore] = [
    await readResources(url),
    await liveHeapBytes(server),
    residentBytes(pid),
  ];

  const tookMs: number[] = [];
  let failed = 0;
  let firstFault: string | undefined;
  let isEnding = false;
  const ask = async (_: unknown, caller: number) => {
    const agent = new Agent({ keepAlive: caller % 2 === 0, maxSockets: 1 });
    while (!isEnding) {
      const startedMs = performance.now();
      const { status, fault } = await askOnce(askUrl, { agent, headers });
      // No timer is involved, so CPU that either process lacked since the request has delayed the response.
      tookMs.push(stalls.lateMs(startedMs));
      // A client that lacked the CPU for seconds may use a connection that the server has closed.
      if (status !== 200 && !stalls.isStarvedSince(performance.now() - timeouts.keep_alive_timeout_ms)) {
        failed++;
        firstFault ??= fault ?? String(status);
      }
      await wait(10);
    }
    agent.destroy();
  };
  const asking = Promise.all(Array.from({ length: 4 }, ask));
  const endAsking = async () => {
    isEnding = true;
    await asking;
  };
  atEnd(endAsking);

  let latestMs = Number.NEGATIVE_INFINITY;
  let latest: string | undefined;
  let residentMax = 0;
  let stalledMs = 0;
  for (let i = 1; i <= waves; i++) {
    const isLast = i === waves;
    // Only the last wave waits two minutes.
    const wave = await sendWave(kinds, isLast && waves > 1);
    if (wave.lateMs > latestMs) [latestMs, latest] = [wave.lateMs, wave.latest];
    residentMax = Math.max(residentMax, wave.residentMax);
    stalledMs = wave.stalledMs ?? stalledMs;
    say(`${name}: ${i} waves of ${slowCount}`);
  }
  await endAsking();
  const isClosed = async () => (await readResources(url)).files <= filesBefore;
  await pollUntil(isClosed, { withinMs: 15_000, everyMs: 200, describe: () => `${name} still has open connections` });
  const moreHeap = (await liveHeapBytes(server)) - heapBefore;
  return [
    toFigure({ name: `p99 of other clients at the ${name}`, unit: 'ms', max: othersMsMax }, percentile(tookMs, 99)),
    toFigure({ name: 'requests of other clients failed', unit: '', max: 0 }, failed, firstFault),
    toFigure({ name: 'responses', unit: '', min: 100 * waves }, tookMs.length),
    toLatenessFigure({ name: 'longest connection beyond its deadline', unit: 'ms', max: lateMsMax }, latestMs, latest),
    ...(stalledMs > 0
      ? [
          toFigure(
            { name: 'until connections that read nothing are closed', unit: 'ms', max: stalledMsMax + lateMsMax },
            stalledMs,
          ),
        ]
      : []),
    toFigure({ name: 'more heap afterwards', unit: 'MiB', max: moreHeapMax }, moreHeap / mebibyte),
    toFigure(
      { name: 'more memory per slow connection', unit: 'KiB', max: 480 },
      (residentMax - residentBefore) / slowCount / 1_024,
    ),
  ];

  /** Opens the connections and waits until each is closed; ends those that read nothing unless `waitsForStalled`. */
  async function sendWave(of: typeof kinds, waitsForStalled = false) {
    const openedMs = performance.now();
    const filesBefore = (await readResources(url)).files;
    const clients = await openSlowClients(url, { kinds: of, count: slowCount, lateMs: stalls.lateMs });
    atEnd(async () => {
      for (const client of clients) client.end();
    });
    const closing = clients.filter(({ kind }) => kind.closedByMs !== undefined);
    let residentMax = 0;
    const areClosed = () => {
      residentMax = Math.max(residentMax, residentBytes(pid));
      return closing.every(({ lateMs }) => lateMs !== undefined);
    };
    const left = () => new Set(closing.filter(({ lateMs }) => lateMs === undefined).map(({ kind }) => kind.name));
    await pollUntil(areClosed, { withinMs: 60_000, describe: () => `still open at the ${name}: ${[...left()]}` });
    const late = closing.map(({ kind, lateMs }) => ({ name: kind.name, ms: lateMs as number }));
    const latest = late.reduce((a, b) => (a.ms > b.ms ? a : b));
    let stalledMs: number | undefined;
    if (waitsForStalled) {
      const isClosed = async () => (await readResources(url)).files <= filesBefore + 10;
      const describe = () => `${name} has not closed connections that read nothing`;
      await pollUntil(isClosed, { withinMs: 2 * stalledMsMax, everyMs: 500, describe });
      stalledMs = performance.now() - openedMs;
    }
    for (const client of clients) client.end();
    return { lateMs: latest.ms, latest: `${latest.name} at the ${name}`, residentMax, stalledMs };
  }
}

const common = {
  headersTimeoutMs: timeouts.headers_timeout_ms,
  requestTimeoutMs: timeouts.request_timeout_ms,
  keepAliveTimeoutMs: timeouts.keep_alive_timeout_ms,
  longPath: '/openapi.json',
};

async function startGateway(atEnd: AtEnd): Promise<Target> {
  const echo = { path: '/echo', method: 'POST', service: 'echo' };
  const settings = { ...timeouts, log_sample_every: 1_000_000 };
  const gateway = await spawnGateway({ settings, endpoints: [fixedEndpoint('here'), echo], env: inspectable }, atEnd);
  const { url } = gateway;
  return {
    ...common,
    ...{ name: 'gateway', url, server: gateway, bodyPath: '/echo' },
    ...{ askUrl: `${url}/answer`, headers: { 'X-API-Key': goodKey } },
  };
}

async function startStaffProxy(atEnd: AtEnd): Promise<Target> {
  const settings = { ...timeouts, log_sample_every: 1_000_000 };
  const { proxy, stop } = await spawnFaultedProxy({ accounts: ['ann'], settings, env: inspectable }, spawnProxy);
  atEnd(stop);
  const { url } = proxy;
  return {
    ...common,
    ...{ name: 'proxy', url, server: proxy, bodyPath: '/v2/login' },
    ...{ askUrl: `${url}/v2/staffmember/S-1`, headers: { 'X-API-Key': keyOf('ann') } },
  };
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}
