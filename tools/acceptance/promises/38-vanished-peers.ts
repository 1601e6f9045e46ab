import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { askTimed } from '../src/faults/ask-timed.ts';
import { pollUntil } from '../src/poll-until.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { handshakeFields } from '../src/promises/handshake-fields.ts';
import { createIsolatedNetwork, type IsolatedNetwork } from '../src/promises/isolated-network.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { toLatenessFigure } from '../src/promises/time-figures.ts';
import { type SpawnedGateway, spawnGateway } from '../src/spawn-gateway.ts';

const timeouts = { headers_timeout_ms: 1_500, request_timeout_ms: 3_000, keep_alive_timeout_ms: 2_000 };
const upstreamMs = 1_000;
/** How long a WebSocket may be silent. */
const idleMs = 1_500;
/** A stalled response is closed after two checks, a minute apart. */
const stalledMsMax = 120_000;
/** How long an upstream may pause between two events. */
const eventsMsMax = 30_000;
/** How long the gateway pools an idle connection to an upstream. */
const pooledMsMax = 4_000;
const requestLateMsMax = 250;
/** Servers check their connections four times a second, and Node adds a second to idle connections. */
const socketLateMsMax = 3_000;
const peerFile = fileURLToPath(new URL('../src/promises/vanishing-peer.ts', import.meta.url));

export const promise = definePromise({
  number: 38,
  title: 'Connections of vanished peers are closed',
  done: 'Clients and upstreams stop responding without a FIN, frozen or behind a cut link: idle, in a head, in a body, waiting, in a WebSocket, in an event stream, reading nothing, before a response, and between its head and its body',
  excludes: 'time after a deadline in which the server or the client waited for the CPU',
  target: 'sockets closed by their deadline, 0 leaked',
  runsAlone: 'at full scale',
  mostlyWaits: true,
  async run(trial) {
    const count = trial.byScale({ ci: 20, full: 100 });
    const network = await createIsolatedNetwork(trial.atEnd);
    if (network === undefined) trial.say('no network namespaces on this machine: peers are only frozen');
    const modes: Mode[] = [frozenMode(), ...(network === undefined ? [] : [cutMode(network)])];
    const figures: Figure[] = [];
    for (const mode of modes) {
      figures.push(...(await tryClients(mode, count, trial)), ...(await tryUpstreams(mode, count, trial)));
    }
    return figures;
  },
});

/** Where peers run, and how they vanish. */
interface Mode {
  readonly name: string;
  readonly prefix: readonly string[];
  /** The addresses of the gateway for its peers, and of the peers for the gateway. */
  readonly gatewayHost: string;
  readonly peerHost: string;
  vanish(peer: ChildProcess): Promise<void>;
  recover(peer: ChildProcess): Promise<void>;
}

const frozenMode = (): Mode => ({
  name: 'frozen',
  prefix: [],
  gatewayHost: '127.0.0.1',
  peerHost: '127.0.0.1',
  vanish: async (peer) => void peer.kill('SIGSTOP'),
  recover: async (peer) => void peer.kill('SIGCONT'),
});

const cutMode = ({ prefix, outsideHost, insideHost, cut, join }: IsolatedNetwork): Mode => ({
  ...{ name: 'cut off', prefix, gatewayHost: outsideHost, peerHost: insideHost, vanish: cut, recover: join },
});

async function tryClients(mode: Mode, count: number, { byScale, say, atEnd }: Trial): Promise<Figure[]> {
  const upstream = await startPeer(mode, ['upstream', mode.peerHost], atEnd);
  const [, port] = await upstream.says('listening');
  const gateway = await startGateway(mode, `http://${mode.peerHost}:${port}`, atEnd);
  const { host } = new URL(gateway.url);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const post = `POST /echo HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const kinds: readonly (readonly [name: string, bytes: string, closedByMs: number])[] = [
    ['idle', get('/health/live'), timeouts.keep_alive_timeout_ms],
    ['silent', '', timeouts.headers_timeout_ms],
    ['in a head', get('/health/live').slice(0, -2), timeouts.headers_timeout_ms],
    ['in a body', `${post}Content-Length: 100\r\n\r\n{`, timeouts.request_timeout_ms],
    ['waiting', get('/silent'), upstreamMs + timeouts.keep_alive_timeout_ms],
    ['in a WebSocket', `${get('/socket').slice(0, -2)}${handshakeFields.join('\r\n')}\r\n\r\n`, idleMs],
    ['in an event stream', get('/events'), eventsMsMax],
    ['reading nothing', get('/openapi.json').repeat(300), stalledMsMax],
  ];
  const tried = kinds.slice(0, byScale({ ci: kinds.length - 2, full: kinds.length }));
  const files = () => readdirSync(`/proc/${gateway.child.pid}/fd`).length;
  const stalls = watchStalls([gateway.child.pid as number, process.pid], atEnd);
  // Opens files that are loaded once, so that they do not count as leaks.
  for (const path of ['/health/live', '/openapi.json', '/silent']) await askTimed(gateway.url + path, {});
  const before = await restingFiles(files);
  let [latestMs, latest, leaked] = [Number.NEGATIVE_INFINITY, '', 0];
  for (const [name, bytes, closedByMs] of tried) {
    const args = ['clients', mode.gatewayHost, new URL(gateway.url).port, String(count), JSON.stringify(bytes)];
    const startedMs = performance.now();
    const clients = await startPeer(mode, args, atEnd);
    await clients.says('ready');
    await mode.vanish(clients.child);
    const vanishedMs = performance.now();
    await pollUntil(() => files() <= before, {
      withinMs: closedByMs + 20_000,
      everyMs: 20,
      describe: () => `${files() - before} connections of clients that vanished ${name} are still open`,
    }).catch((error) => {
      leaked += files() - before;
      say(String(error));
    });
    const lateMs = stalls.lateMs(vanishedMs + closedByMs);
    if (lateMs > latestMs) [latestMs, latest] = [lateMs, name];
    say(`clients ${mode.name} ${name}: closed after ${Math.round(performance.now() - startedMs)} ms`);
    clients.child.kill('SIGKILL');
    await mode.recover(upstream.child);
  }
  await gateway.stop();
  return [
    toFigure({ name: `leaked connections of ${mode.name} clients`, unit: '', max: 0 }, leaked, latest),
    toLatenessFigure({ name: 'closed after the deadline', unit: 'ms', max: socketLateMsMax }, latestMs, latest),
    toFigure({ name: 'connections', unit: '', min: 5 * count }, tried.length * count),
  ];
}

async function tryUpstreams(mode: Mode, count: number, { say, atEnd }: Trial): Promise<Figure[]> {
  const upstream = await startPeer(mode, ['upstream', mode.peerHost], atEnd);
  const [, port] = await upstream.says('listening');
  const gateway = await startGateway(mode, `http://${mode.peerHost}:${port}`, atEnd);
  const files = () => readdirSync(`/proc/${gateway.child.pid}/fd`).length;
  const stalls = watchStalls([gateway.child.pid as number, process.pid], atEnd);
  const ask = (path: string, n: number) => askTimed(`${gateway.url}${path}?n=${n}`, {});
  const askAll = (path: string) => Promise.all(Array.from({ length: count }, (_, n) => ask(path, n)));
  await askAll('/whole');
  const before = await restingFiles(files);
  const others: string[] = [];
  let [latestMs, latest, leaked, asked] = [Number.NEGATIVE_INFINITY, '', 0, 0];

  const expectLate = async (name: string, path: string, vanish: () => Promise<void>) => {
    const startedMs = performance.now();
    const asking = askAll(path);
    await vanish();
    for (const { status, endMs } of await asking) {
      asked++;
      if (![502, 503, 504].includes(status)) others.push(`${status} ${name}`);
      const lateMs = stalls.lateMs(startedMs + upstreamMs, startedMs + endMs);
      if (lateMs > latestMs) [latestMs, latest] = [lateMs, name];
    }
    const dueMs = performance.now() + pooledMsMax;
    const describe = () => `${files() - before} connections to an upstream that vanished ${name} are still open`;
    await pollUntil(() => files() <= before, { withinMs: pooledMsMax + 20_000, describe })
      .then(() => {
        const closedLateMs = stalls.lateMs(dueMs);
        if (closedLateMs > socketLateMsMax) throw new Error(`Closed ${Math.round(closedLateMs)} ms late: ${name}.`);
      })
      .catch((error) => {
        leaked += Math.max(1, files() - before);
        say(String(error));
      });
    await mode.recover(upstream.child);
    say(`upstream ${mode.name} ${name}`);
  };
  const vanishAfter = (served: string) => async () => {
    for (let n = 0; n < count; n++) await upstream.says(`served ${served}`);
    await mode.vanish(upstream.child);
  };
  await expectLate('before the response', '/silent', vanishAfter('/silent'));
  await untilResponded(gateway, '/whole');
  await expectLate('between head and body', '/head', vanishAfter('/head'));
  await untilResponded(gateway, '/whole');
  // Idle connections still exist, and new ones cannot be opened.
  await askAll('/whole');
  await mode.vanish(upstream.child);
  await expectLate('on idle connections', '/whole', async () => {});
  await untilResponded(gateway, '/whole');
  return [
    toFigure({ name: `leaked connections to ${mode.name} upstreams`, unit: '', max: 0 }, leaked, latest),
    toLatenessFigure({ name: 'responses after the deadline', unit: 'ms', max: requestLateMsMax }, latestMs, latest),
    toFigure({ name: 'responses other than 502, 503 and 504', unit: '', max: 0 }, others.length, others[0]),
    toFigure({ name: 'requests', unit: '', min: 3 * count }, asked),
  ];
}

/** Waits until the gateway sends requests to the recovered peer. */
function untilResponded({ url }: SpawnedGateway, path: string): Promise<void> {
  return pollUntil(async () => (await askTimed(url + path, {})).status === 200, {
    withinMs: 40_000,
    everyMs: 200,
    describe: () => 'the gateway sends no requests to an upstream that has recovered',
  });
}

/** Returns the number of open files without requests. */
async function restingFiles(files: () => number): Promise<number> {
  let [least, since] = [files(), performance.now()];
  await pollUntil(
    () => {
      const now = files();
      if (now < least) [least, since] = [now, performance.now()];
      return performance.now() - since > pooledMsMax + 2_000;
    },
    { withinMs: 60_000, describe: () => 'connections keep closing' },
  );
  return least;
}

function startGateway({ gatewayHost }: Mode, target: string, atEnd: AtEnd): Promise<SpawnedGateway> {
  const upstream = (path: string) => ({ targets: [target], path, timeout_ms: upstreamMs, retries: 0 });
  const endpoints = [
    ...['/whole', '/head', '/silent', '/events'].map((path) => ({ path, service: 'http', upstream: upstream(path) })),
    { path: '/socket', service: 'http', upstream: { ...upstream('/socket'), websocket: { idle_ms: idleMs } } },
    { path: '/echo', method: 'POST', service: 'echo' },
  ];
  // Peers behind the link connect to the address of the link.
  const host = gatewayHost === '127.0.0.1' ? gatewayHost : '0.0.0.0';
  return spawnGateway({ settings: { ...timeouts, host, log_sample_every: 1_000_000 }, endpoints }, atEnd);
}

interface Peer {
  readonly child: ChildProcess;
  /** Returns the words of its next line with this beginning. */
  says(beginning: string): Promise<string[]>;
}

async function startPeer({ prefix }: Mode, args: readonly string[], atEnd: AtEnd): Promise<Peer> {
  const [program, ...more] = [...prefix, process.execPath, peerFile, ...args] as [string, ...string[]];
  const child = spawn(program, more, { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return {
    child,
    async says(beginning) {
      const find = () => lines.findIndex((line) => line.startsWith(beginning));
      await pollUntil(() => find() >= 0, {
        withinMs: 20_000,
        everyMs: 10,
        describe: () => `the peer has not printed ${beginning}`,
      });
      return (lines.splice(find(), 1)[0] as string).split(' ');
    },
  };
}
