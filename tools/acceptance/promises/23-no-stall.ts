import { type Figure, judge } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { exchangeRaw } from '../src/promises/hostile/exchange-raw.ts';
import { type GrownRequest, growingInputs } from '../src/promises/hostile/growing-inputs.ts';
import { headOf } from '../src/promises/hostile/targets.ts';
import { threadTimeMs } from '../src/promises/hostile/thread-time.ts';
import { startWatchedServers, type WatchedServer } from '../src/promises/hostile/watched-servers.ts';

/** What works for longer may do so in pieces: then it is seen how long others wait. */
const atOnceMs = 20;
/** What works for less says nothing of how it grows. */
const growthFromMs = 10;

export const promise = definePromise({
  number: 23,
  title: 'No super-linear input',
  done: 'paths, names, queries, OData, header fields and bodies of 1 to 16 KB, doubling; how long others wait for the server’s thread',
  target: 'no stall over 50 ms',
  async run({ atEnd, often, say }) {
    const rounds = often({ ci: 2, full: 5 });
    const { all, credentials } = await startWatchedServers(atEnd);
    const figures: Figure[] = [];
    const failures: string[] = [];
    for (const server of all) {
      const inputs = growingInputs(server.name, credentials.COMPANY_KEY);
      let [longestMs, longest] = [0, ''];
      let [steepest, steep] = [0, 'nothing'];
      for (let i = 0; i < 20; i++) await workFor(server, { path: '/health/live' });
      for (const { name, sizes, request } of inputs) {
        let halfMs = Number.POSITIVE_INFINITY;
        for (const size of sizes) {
          const what = `${name}, ${size} characters`;
          const { ms, status } = await leastOf(rounds, () => workFor(server, request(size)));
          if (status >= 500 && status !== 501) failures.push(`${what} at the ${server.name}: ${status}`);
          const wait = ms <= atOnceMs ? ms : (await leastOf(rounds, () => waitBeside(server, request(size)))).ms;
          if (wait > longestMs) [longestMs, longest] = [wait, what];
          if (ms >= growthFromMs && ms / halfMs > steepest) [steepest, steep] = [ms / halfMs, what];
          halfMs = ms;
        }
      }
      say(`${server.name}: ${longestMs.toFixed(1)} ms for ${longest}; × ${steepest.toFixed(1)} for ${steep}`);
      figures.push(
        judge({ name: `longest at the ${server.name}`, unit: 'ms', max: 50 }, longestMs, longest),
        // By twice it is linear, by four times quadratic.
        judge({ name: `for twice of it at the ${server.name}`, unit: '×', max: 3.5 }, steepest, steep),
        judge({ name: 'kinds of input', unit: '', min: 100 }, inputs.length),
      );
    }
    return [...figures, judge({ name: 'failed', unit: '', max: 0 }, failures.length, failures.slice(0, 3).join('; '))];
  },
});

interface Work {
  readonly ms: number;
  readonly status: number;
}

/** Of several rounds the one with the least: neighbours on the machine only lengthen them. */
async function leastOf(rounds: number, run: () => Promise<Work>): Promise<Work> {
  let least = await run();
  for (let round = 1; round < rounds; round++) {
    const one = await run();
    if (one.ms < least.ms) least = one;
  }
  return least;
}

/** How long the server's thread works for a request: nobody can wait for longer because of it. */
function workFor(server: WatchedServer, request: GrownRequest): Promise<Work> {
  return timed(server, async () => (await send(server, request)).statuses[0] ?? 599);
}

/** How long others wait at most beside a request, in work of the server's thread. */
async function waitBeside(server: WatchedServer, request: GrownRequest): Promise<Work> {
  let isOver = false;
  const sent = send(server, request).finally(() => {
    isOver = true;
  });
  let longest: Work = { ms: 0, status: 0 };
  while (!isOver) {
    const one = await timed(server, async () => {
      const answer = await fetch(`${server.url}/health/live`);
      await answer.arrayBuffer();
      return answer.status;
    });
    if (one.ms > longest.ms) longest = one;
  }
  await sent;
  return longest;
}

async function timed(server: WatchedServer, run: () => Promise<number>): Promise<Work> {
  const pid = server.child.pid as number;
  const [before, startedMs] = [threadTimeMs(pid), performance.now()];
  const status = await run();
  const passedMs = performance.now() - startedMs;
  const after = threadTimeMs(pid);
  return { status, ms: before === undefined || after === undefined ? passedMs : Math.min(passedMs, after - before) };
}

function send(server: WatchedServer, { method = 'GET', path, headers, body = '' }: GrownRequest) {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const head = headOf({ ...server, server: server.name, method, path }, { ...headers, ...length });
  return exchangeRaw(server.url, Buffer.from(`${head}\r\n${body}`, 'latin1'));
}
