import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Figure, toFigure } from '../../../benchmark/src/figure.ts';
import type { AtEnd } from '../at-end.ts';
import { askTimed } from '../faults/ask-timed.ts';
import type { Exchange } from '../faults/exchange.ts';
import { describeOutcome, isFailure } from '../faults/expected-responses.ts';
import { type Link, type LinkOptions, startLink } from '../faults/link.ts';
import { checkPath, isSilence, type LinkCase, linkCases } from '../faults/link-faults.ts';
import { pollUntil } from '../poll-until.ts';
import { spawnGateway } from '../spawn-gateway.ts';
import type { Trial } from './define-promise.ts';
import { handshakeAccept, handshakeFields } from './handshake-fields.ts';
import { askRaw } from './raw-lane.ts';
import { inspectable, liveHeapBytes } from './read-resources.ts';
import { watchStalls } from './stall-watch.ts';
import { toLatenessFigure } from './time-figures.ts';

const timeoutMs = 1_000;
const silenceMs = 1_000;
/** The accuracy of timers, and the time of the response. */
const lateMsMax = 250;
/** Pauses are checked a few times a second. */
const silenceLateMsMax = 1_000;
/** Only failures of the link itself reach clients, not those of an open circuit. */
const breaker = { window: 1_000, requests_min: 1_000 };

/** One case with its link, and the path of its endpoint. */
interface Tried extends LinkCase {
  readonly link: Link;
  /** The server that responds correctly in every case. */
  readonly sound?: Link;
  readonly path: string;
  readonly endpoint: object;
  /** Invalidates the token. */
  readonly forget?: () => void;
}

/** Fails TLS, WebSockets, event streams, health checks and token requests of one gateway. */
export async function tryLinks({ byScale, say, atEnd }: Trial): Promise<Figure[]> {
  const rounds = byScale({ ci: 2, full: 15 });
  const cases = await Promise.all(linkCases.map((one, n) => startCase(one, `/link/${n}`, atEnd)));
  const gateway = await spawnGateway(
    {
      settings: { log_sample_every: 1_000_000 },
      endpoints: cases.map(({ path, endpoint }) => ({ path, service: 'http', upstream: endpoint })),
      env: inspectable,
    },
    atEnd,
  );
  const pid = gateway.child.pid as number;
  const stalls = watchStalls([pid, process.pid], atEnd);
  const wrong: string[] = [];
  let [latestMs, latest, silentMs] = [Number.NEGATIVE_INFINITY, '', Number.NEGATIVE_INFINITY];
  let [asked, failed, open] = [0, 0, 0];

  async function ask(one: Tried): Promise<void> {
    const { kind, name, expected, path } = one;
    const what = `${kind} that ${name}`;
    // Other responses end without a hang-up.
    const hangUpMs = expected === '200, until the client leaves' ? 1.5 * timeoutMs : 30_000;
    const startedMs = performance.now();
    const headers = kind === 'a WebSocket' ? handshakeHeaders : {};
    const outcome = await askTimed(gateway.url + path, { headers, hangUpMs });
    asked++;
    const got = describeOutcome(outcome);
    if (isFailure(got)) failed++;
    // The circuit of a token endpoint has no settings.
    if (got === '503' && kind === 'a token') open++;
    else if (got !== expected && !(isFailure(got) && isFailure(expected))) {
      // On a busy machine, a slow response can miss the deadline.
      const isLate = got === '504' || outcome.hasHungUp;
      if (!(isLate && stalls.isStarvedSince(startedMs))) wrong.push(`${what}: ${got}`);
    }
    const lateMs = stalls.lateMs(startedMs + timeoutMs, startedMs + outcome.headMs);
    if (lateMs > latestMs) [latestMs, latest] = [lateMs, what];
    if (isSilence(one) && got === expected) {
      const deadlineMs = startedMs + outcome.headMs + silenceMs;
      silentMs = Math.max(silentMs, stalls.lateMs(deadlineMs, startedMs + outcome.endMs));
    }
  }
  const untilSound = ({ kind, name, path }: Tried) =>
    pollUntil(async () => (await statusOf(gateway.url, path, kind)) === (kind === 'a WebSocket' ? 101 : 200), {
      withinMs: 60_000,
      everyMs: 100,
      describe: () => `requests still fail after ${kind} that ${name}`,
    });
  const isSick = async ({ link }: Tried) => {
    const metrics = await (await fetch(`${gateway.url}/metrics`, { headers: { Accept: 'text/plain' } })).text();
    return metrics.includes(`upstream_target_healthy{target="${new URL(link.url).host}"} 0`);
  };
  const untilChecked = (one: Tried, isSickThen: boolean) =>
    pollUntil(async () => (await isSick(one)) === isSickThen, {
      withinMs: 30_000,
      everyMs: 100,
      describe: () => `no check has found ${one.kind} that ${one.name}${isSickThen ? '' : ' no more'}`,
    });
  async function tryCase(one: Tried): Promise<void> {
    one.forget?.();
    one.link.use(one.fault);
    if (one.kind === 'a health check') await untilChecked(one, true);
    await Promise.all([0, 1, 2].map(() => ask(one)));
    one.link.use();
    if (one.kind === 'a health check') await untilChecked(one, false);
    await untilSound(one);
  }
  /** Tries the kinds one after another, so that few requests wait for the CPU. */
  async function round(): Promise<void> {
    for (const some of Map.groupBy(cases, ({ kind }) => kind).values()) await Promise.all(some.map(tryCase));
  }
  const files = () => readdirSync(`/proc/${pid}/fd`).length;
  const isAtRest = () =>
    cases.every(({ kind, link, sound }) => {
      // The connection of a check stays open between its requests.
      const expected = kind === 'a health check' ? 1 : 0;
      return link.openSockets() === expected && (sound?.openSockets() ?? expected) === expected;
    });
  const rest = (filesMax: number) =>
    pollUntil(() => isAtRest() && files() <= filesMax, {
      withinMs: 30_000,
      describe: () => {
        const busy = cases.filter(({ link }) => link.openSockets() > 0);
        const list = busy.map(({ kind, name, link }) => `${link.openSockets()} of ${kind} that ${name}`);
        return `there are still ${files()} files, of ${filesMax}, and connections: ${list.join(', ')}`;
      },
    });

  // The first round warms up.
  await round();
  await rest(Number.POSITIVE_INFINITY);
  const [filesBefore, heapBefore] = [files(), await liveHeapBytes(gateway)];
  [asked, failed, open, latestMs, silentMs] = [0, 0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 1; i <= rounds; i++) {
    await round();
    if (i % 5 === 0) say(`links: ${i} rounds`);
  }
  await rest(filesBefore);
  const moreFiles = files() - filesBefore;
  const moreMebibytes = ((await liveHeapBytes(gateway)) - heapBefore) / 1_048_576;
  return [
    toLatenessFigure({ name: 'after the deadline of a link', unit: 'ms', max: lateMsMax }, latestMs, latest),
    toLatenessFigure({ name: 'after the limit of silence in a stream', unit: 'ms', max: silenceLateMsMax }, silentMs),
    toFigure({ name: 'wrong responses', unit: '', max: 0 }, wrong.length, [...new Set(wrong)].slice(0, 3).join(', ')),
    toFigure({ name: 'requests over links', unit: '', min: 3 * cases.length * rounds }, asked),
    toFigure({ name: 'responses 502 or 504', unit: '', min: 60 * rounds }, failed),
    toFigure({ name: 'responses 503 from an open circuit', unit: '', max: asked / 4 }, open),
    toFigure({ name: 'more files', unit: '', max: 0 }, moreFiles),
    toFigure({ name: 'more heap', unit: 'MiB', max: 8 }, moreMebibytes),
  ];
}

const handshakeHeaders = Object.fromEntries(handshakeFields.map((line) => line.split(': ')));

/** Returns the status of a request, 101 for an accepted handshake, whose connection is then closed. */
async function statusOf(url: string, target: string, kind: LinkCase['kind']): Promise<number> {
  const fields = [`Host: ${new URL(url).host}`, ...(kind === 'a WebSocket' ? handshakeFields : ['Connection: close'])];
  let status = 0;
  await askRaw(url, [{ method: 'GET', target, fields }], (_, response) => ({ status } = response), 1);
  return status;
}

/** Starts the servers of a case, and returns the upstream of its endpoint. */
async function startCase(one: LinkCase, path: string, atEnd: AtEnd): Promise<Tried> {
  const start = async (options: LinkOptions) => {
    const link = await startLink(options);
    atEnd(link.stop);
    return link;
  };
  const respond = ({ respond }: Exchange) => respond('[]');
  const common = { path: '/', timeout_ms: timeoutMs, retries: 0, breaker };
  switch (one.kind) {
    case 'TLS': {
      const link = await start({ certificate: 'server', respond });
      return { ...one, path, link, endpoint: { ...common, targets: [link.url], tls: { ca_file: caFile } } };
    }
    case 'a WebSocket': {
      const link = await start({ respond: ({ write }) => write(switching) });
      return { ...one, path, link, endpoint: { ...common, targets: [link.url], websocket: {} } };
    }
    case 'events': {
      const link = await start({ respond });
      return { ...one, path, link, endpoint: { ...common, targets: [link.url], stream_idle_ms: silenceMs } };
    }
    case 'a health check': {
      const [link, sound] = [await start({ respond }), await start({ respond })];
      const health = { path: checkPath, interval_ms: 200, timeout_ms: 300, unhealthy_after: 1, healthy_after: 1 };
      return { ...one, path, link, sound, endpoint: { ...common, targets: [link.url, sound.url], health } };
    }
    case 'a token': {
      let tokens = 0;
      const link = await start({
        respond: ({ respond }) => respond(JSON.stringify({ access_token: `token-${++tokens}`, expires_in: 3_600 })),
      });
      const sound = await start({
        respond: ({ request, respond }) =>
          request.headers.authorization === `Bearer token-${tokens}` ? respond('[]') : respond('{}', { status: 401 }),
      });
      const credentials =
        Number(path.at(-1)) % 2 === 0
          ? { type: 'login', fields: { email: 'a@b.example' } }
          : { type: 'client_credentials', client_id: 'a', client_secret: 'trial-secret-of-a-client' };
      const auth = { ...credentials, token_url: `${link.url}/token` };
      return { ...one, path, link, sound, endpoint: { ...common, targets: [sound.url], auth }, forget: () => tokens++ };
    }
  }
}

const switching = [
  'HTTP/1.1 101 Switching Protocols',
  'Connection: Upgrade',
  'Upgrade: websocket',
  `Sec-WebSocket-Accept: ${handshakeAccept}`,
  '\r\n',
].join('\r\n');

const caFile = fileURLToPath(new URL('../../../../packages/upstream/test/tls/ca.pem', import.meta.url));
