import { toFigure } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { exchangeRaw } from '../src/promises/hostile/exchange-raw.ts';
import { headFaults, logFaults, metricsFaults } from '../src/promises/hostile/injection-faults.ts';
import { canary, type Injection, injections } from '../src/promises/hostile/injections.ts';
import { headOf } from '../src/promises/hostile/targets.ts';
import { startWatchedServers, type WatchedServer } from '../src/promises/hostile/watched-servers.ts';
import { inLanes } from '../src/promises/in-lanes.ts';

/** Paths whose responses must not depend on earlier requests. */
const publicPaths = ['/', '/docs', '/redoc', '/openapi.json', '/health/live', '/endpoints', '/nothing-here'];

export const promise = definePromise({
  number: 24,
  title: 'No prototype pollution, header or log injection',
  done: 'Line breaks, NUL, terminal codes, bidi characters, HTML and prototype names in every place that takes text; then logs, heads, metrics and pages are checked',
  target: '0',
  async run({ atEnd, byScale, say }) {
    const rounds = byScale({ ci: 1, full: 3 });
    const { all } = await startWatchedServers(atEnd, { settings: { log_level: 'trace' } });
    const found = { log: [] as string[], heads: [] as string[], metrics: [] as string[], pages: [] as string[] };
    let [requests, lines] = [0, 0];
    for (const server of all) {
      const of = (fault: string) => `${server.name}: ${fault}`;
      const started = server.output().length;
      const before = await readPublic(server);
      const cases = Array.from({ length: rounds }, () => injections(server.name)).flat();
      const faults = await inLanes(6, cases, async (one) => {
        const { text, statuses } = await exchangeRaw(server.url, bytesOf(server, one));
        return headFaults(text, statuses).map((fault) => of(`${one.name}: ${fault}`));
      });
      found.heads.push(...faults.flat());
      requests += cases.length;
      const after = await readPublic(server);
      for (const [path, text] of Object.entries(after)) {
        if (text !== before[path]) found.pages.push(of(`${path} has changed`));
        if (text.includes(canary)) found.pages.push(of(`${path} contains sent text`));
      }
      const metrics = await (await fetch(`${server.url}/metrics`, { headers: { Accept: 'text/plain' } })).text();
      found.metrics.push(...metricsFaults(metrics).map(of));
      const log = server.output().slice(started);
      found.log.push(...logFaults(log).map(of));
      lines += log.split('\n').length - 1;
      say(`${server.name}: ${cases.length} requests`);
    }
    for (const fault of Object.values(found).flat()) say(fault);
    return [
      toFigure({ name: 'wrong log lines', unit: '', max: 0 }, found.log.length, found.log[0]),
      toFigure({ name: 'wrong response heads', unit: '', max: 0 }, found.heads.length, found.heads[0]),
      toFigure({ name: 'wrong metrics', unit: '', max: 0 }, found.metrics.length, found.metrics[0]),
      toFigure({ name: 'changed pages and documents', unit: '', max: 0 }, found.pages.length, found.pages[0]),
      toFigure({ name: 'requests', unit: '', min: 3_000 * rounds }, requests),
      // Ensures that logs were checked.
      toFigure({ name: 'log lines checked', unit: '', min: 2_000 * rounds }, lines),
    ];
  },
});

function bytesOf(server: WatchedServer, { method, path, headers, body }: Injection): Uint8Array {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const head = headOf({ ...server, server: server.name, method, path }, { ...headers, ...length });
  return Buffer.from(`${head}\r\n${body}`);
}

const changing = /"(?:request_id|timestamp|uptime_s\w*|time)":[^,}]*|nonce[-=]"?[\w+/=-]+/g;

/** Returns the responses without their changing parts. */
async function readPublic({ url, headers }: WatchedServer): Promise<Record<string, string>> {
  const texts = publicPaths.map(async (path) => {
    const text = await (await fetch(url + path, { headers })).text();
    return [path, text.replaceAll(changing, '')];
  });
  return Object.fromEntries(await Promise.all(texts));
}
