import { readdirSync } from 'node:fs';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { askTimed } from '../src/faults/ask-timed.ts';
import {
  describeOutcome,
  expectedAtGateway,
  expectedAtProxy,
  type Got,
  isFailure,
} from '../src/faults/expected-responses.ts';
import { type FaultUpstream, startFaultUpstream } from '../src/faults/fault-upstream.ts';
import { type Fault, type FaultName, faults, rejectsEarly } from '../src/faults/faults.ts';
import { emailOf, keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { pollUntil } from '../src/poll-until.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { inspectable, liveHeapBytes } from '../src/promises/read-resources.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { toLatenessFigure } from '../src/promises/time-figures.ts';
import { tryLinks } from '../src/promises/try-links.ts';
import type { ServerProcess } from '../src/server-process.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

const timeoutMs = 1_000;
/** How long a gateway lets an upstream pause within a body; the proxy has a setting for it. */
const gatewaySilenceMs = 30_000;
/** The accuracy of timers, and the time of the response. */
const lateMsMax = 250;
/** Pauses are checked a few times a second. */
const silenceLateMsMax = 1_000;
const mebibyte = 1024 * 1024;

/** Responses that are still running when the client hangs up. */
const endless: ReadonlySet<Got | 'whole'> = new Set(['200, until the client leaves']);

/** One fault, and the request that meets it. */
interface Case {
  readonly fault: FaultName;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The account whose requests the upstream fails. */
  readonly email: string;
  readonly expected: Got | 'whole';
}

interface Subject {
  readonly name: string;
  readonly server: ServerProcess;
  readonly upstream: FaultUpstream;
  readonly cases: readonly Case[];
  /** How long an upstream may pause within a body. */
  readonly silenceMs: number;
  /** An operation that takes long bodies by POST. */
  readonly uploadUrl?: string;
}

export const promise = definePromise({
  number: 27,
  title: 'Upstream faults are bounded',
  done: 'An upstream is late, drips, stalls, resets, truncates, sends garbage, sends 100 Continue unasked, rejects uploads early, refuses connections and freezes, behind the gateway and behind the proxy, with three clients each; TLS handshakes and certificates, WebSocket handshakes, event streams, health checks and token endpoints fail in the same ways behind another gateway',
  excludes: 'time after a deadline in which the server or the client waited for the CPU',
  target: '502 or 504 by the deadline, no leaked socket',
  runsAlone: 'at full scale',
  async run(trial) {
    const subjects = [await startGateway(trial.atEnd), await startStaffProxy(trial.atEnd)];
    return (await Promise.all([...subjects.map((subject) => trySubject(subject, trial)), tryLinks(trial)])).flat();
  },
});

async function trySubject(
  { name, server, upstream, cases, silenceMs, uploadUrl }: Subject,
  { byScale, say, atEnd }: Trial,
): Promise<Figure[]> {
  const rounds = byScale({ ci: 2, full: 15 });
  const pid = server.child.pid as number;
  const stalls = watchStalls([pid, process.pid], atEnd);
  const others: string[] = [];
  let latestMs = Number.NEGATIVE_INFINITY;
  let latest = '';
  let [asked, failed, open] = [0, 0, 0];

  const recordLateness = (dueMs: number, endedMs: number, what: string) => {
    const lateMs = stalls.lateMs(dueMs, endedMs);
    if (lateMs > latestMs) [latestMs, latest] = [lateMs, `${what} at the ${name}`];
  };
  const askCase = async ({ fault, url, headers, expected }: Case) => {
    // Other responses end without a hang-up.
    const hangUpMs = endless.has(expected) ? 1.5 * timeoutMs : 60_000;
    const startedMs = performance.now();
    const outcome = await askTimed(url, { headers, hangUpMs });
    asked++;
    const got = describeOutcome(outcome);
    if (isFailure(got)) failed++;
    // An open circuit rejects at once.
    if (got === '503' && expected !== '503') open++;
    else if (!isExpected(got, expected)) {
      // On a busy machine, a slow response can miss the deadline.
      const isLate = got === '504' || (endless.has(expected) && outcome.hasHungUp);
      if (!(isLate && stalls.isStarvedSince(startedMs))) others.push(`${fault}: ${got}`);
    }
    recordLateness(startedMs + timeoutMs, startedMs + outcome.headMs, fault);
  };
  const askAll = (of: readonly Case[]) => Promise.all(of.flatMap((one) => [0, 1, 2].map(() => askCase(one))));

  /** Faults that affect all requests of the upstream, so they run alone. */
  const apart: readonly FaultName[] = ['resets on connect', 'sends without end'];
  const together = cases.filter(({ fault }) => !apart.includes(fault));
  const round = async () => {
    for (const { fault, email } of together) upstream.use(faults[fault], email);
    await askAll(together);
    for (const fault of apart) {
      upstream.use(faults[fault]);
      await askAll(cases.filter((one) => one.fault === fault));
    }
    upstream.use();
    await Promise.all(cases.map(untilSound));
  };
  /** Waits until the request succeeds again, because circuits may still be open. */
  const untilSound = ({ fault, url, headers }: Case) =>
    pollUntil(async () => (await askTimed(url, { headers })).status === 200, {
      withinMs: 30_000,
      everyMs: 100,
      describe: () => `the ${name} still fails after an upstream that ${fault}`,
    });
  const files = () => readdirSync(`/proc/${pid}/fd`).length;
  const isAtRest = () => upstream.openSockets() === 0;
  const rest = (filesMax: number) =>
    pollUntil(() => isAtRest() && files() <= filesMax, {
      withinMs: 30_000,
      describe: () =>
        `the ${name} still has ${upstream.openSockets()} connections and ${files()} files, of ${filesMax}`,
    });

  /** Returns the lateness of the deadline for pauses within a body. */
  async function endOfSilence(): Promise<number> {
    const silent = cases.filter((one) => one.fault.startsWith('stalls'));
    for (const { fault, email } of silent) upstream.use(faults[fault], email);
    const waits = silent.map(async ({ fault, url, headers }) => {
      const startedMs = performance.now();
      // Without a byte of the body, the connection may end without a head.
      const { status, isWhole, hasHungUp, endMs } = await askTimed(url, { headers, hangUpMs: silenceMs + 20_000 });
      if (hasHungUp || (isWhole && status !== 504))
        others.push(`${fault}, in silence: ${hasHungUp ? 'still open' : status}`);
      return stalls.lateMs(startedMs + silenceMs, startedMs + endMs);
    });
    const lateMs = Math.max(...(await Promise.all(waits)));
    upstream.use();
    return lateMs;
  }

  /** Counts clients that do not receive the early rejection of their upload. */
  async function countLostRejections(url: string): Promise<number> {
    upstream.use(rejectsEarly);
    const statuses: number[] = [];
    for (let i = 0; i < 10 * rounds; i++) {
      const uploads = [0, 1, 2].map(() => askTimed(url, { method: 'POST', json: 'x'.repeat(2 * mebibyte) }));
      statuses.push(...(await Promise.all(uploads)).map(({ status }) => status));
    }
    upstream.use();
    statuses.push((await askTimed(url, { method: 'POST', json: 'short' })).status === 503 ? 503 : 413);
    return statuses.filter((status) => status !== 413).length;
  }

  // The first round warms up: compiled code, buffers, one circuit breaker per upstream.
  await round();
  await rest(Number.POSITIVE_INFINITY);
  const [filesBefore, heapBefore] = [files(), await liveHeapBytes(server)];
  [asked, failed, open, latestMs] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (let i = 1; i <= rounds; i++) {
    await round();
    if (i % 10 === 0) say(`${name}: ${i} rounds`);
  }
  const unavailable = cases.filter(({ fault }) => fault === 'resets on a request').map((one) => ({ ...one }));
  const outages = [
    ['502', upstream.refuse],
    ['504', upstream.freeze],
  ] as const;
  for (const [, begin] of outages) {
    await begin();
    const startedMs = performance.now();
    const asking = unavailable.flatMap(({ url, headers }) =>
      Array.from({ length: 10 }, async () => {
        const { status, endMs } = await askTimed(url, { headers });
        asked++;
        if (![502, 503, 504].includes(status)) others.push(`unavailable: ${status}`);
        recordLateness(startedMs + timeoutMs, startedMs + endMs, 'an unavailable upstream');
      }),
    );
    await Promise.all(asking);
    await upstream.recover();
  }
  const lostRejections = uploadUrl === undefined ? 0 : await countLostRejections(uploadUrl);
  const silenceLateMs = await endOfSilence();
  await rest(filesBefore);
  const moreFiles = files() - filesBefore;
  const moreHeap = (await liveHeapBytes(server)) - heapBefore;
  return [
    toLatenessFigure({ name: `after the deadline at the ${name}`, unit: 'ms', max: lateMsMax }, latestMs, latest),
    toLatenessFigure({ name: 'after the deadline of a silent body', unit: 'ms', max: silenceLateMsMax }, silenceLateMs),
    toFigure({ name: 'wrong responses', unit: '', max: 0 }, others.length, others.slice(0, 3).join(', ')),
    ...(uploadUrl === undefined ? [] : [toFigure({ name: 'early rejections lost', unit: '', max: 0 }, lostRejections)]),
    toFigure({ name: 'requests', unit: '', min: 100 * rounds }, asked),
    toFigure({ name: 'responses 502 or 504', unit: '', min: 5 * rounds }, failed),
    toFigure({ name: 'responses 503 from an open circuit', unit: '', max: asked / 2 }, open),
    toFigure({ name: 'more files', unit: '', max: 0 }, moreFiles),
    toFigure({ name: 'more heap', unit: 'MiB', max: 8 }, moreHeap / mebibyte),
  ];
}

/** 502 and 504 are interchangeable: the fault or the deadline can come first. */
function isExpected(got: Got, expected: Got | 'whole'): boolean {
  if (expected === 'whole') return !got.startsWith('200,') && !got.startsWith('no ') && !isFailure(got);
  return got === expected || (isFailure(got) && isFailure(expected));
}

const names = Object.keys(faults) as FaultName[];
const accountOf = (fault: FaultName) => `account-${names.indexOf(fault)}`;

/** Starts a gateway with an endpoint per fault; the upstream identifies it by its token. */
async function startGateway(atEnd: AtEnd): Promise<Subject> {
  const upstream = await startFaultUpstream();
  atEnd(upstream.stop);
  // The gateway never logs in, so faults of a login do not apply.
  const met = names.filter((fault) => !('login' in (faults[fault] as Fault)));
  const endpoints = await Promise.all(
    met.map(async (fault, i) => ({
      path: `/of/${i}`,
      service: 'http',
      upstream: {
        // Separate addresses, so that each fault has its own circuit breaker.
        targets: [`${upstream.url}/${i}`],
        ...(i % 2 === 1 && fault !== 'rejects every token'
          ? { auth: loginOf(upstream, emailOf(accountOf(fault))) }
          : { headers: { Authorization: `bearer ${await tokenOf(upstream, emailOf(accountOf(fault)))}` } }),
        timeout_ms: timeoutMs,
      },
    })),
  );
  const uploads = { path: '/upload', method: 'POST', service: 'http', upstream: { targets: [upstream.url] } };
  const gateway = await spawnGateway({ settings: quiet, endpoints: [...endpoints, uploads], env: inspectable }, atEnd);
  const cases = met.map((fault, i) => ({
    ...{ fault, url: `${gateway.url}/of/${i}`, headers: {}, email: emailOf(accountOf(fault)) },
    expected: expectedAtGateway[fault] ?? ('whole' as const),
  }));
  return {
    name: 'gateway',
    server: gateway,
    upstream,
    cases,
    silenceMs: gatewaySilenceMs,
    uploadUrl: `${gateway.url}/upload`,
  };
}

async function startStaffProxy(atEnd: AtEnd): Promise<Subject> {
  // A rejected login is cached for longer than a trial.
  const met = names.filter((fault) => !('login' in (faults[fault] as Fault)) && !fault.endsWith('for an hour'));
  const settings = {
    ...quiet,
    ...{ upstream_timeout_ms: timeoutMs, upstream_connect_timeout_ms: 200, upstream_body_timeout_ms: timeoutMs },
  };
  const accounts = met.map(accountOf);
  const faulted = await spawnFaultedProxy({ accounts, settings, env: inspectable }, spawnProxy);
  atEnd(faulted.stop);
  const { proxy, upstream } = faulted;
  const cases = met.map((fault) => ({
    ...{ fault, url: `${proxy.url}/v2/staffmember`, headers: { 'X-API-Key': keyOf(accountOf(fault)) } },
    ...{ email: emailOf(accountOf(fault)), expected: expectedAtProxy[fault][0] },
  }));
  for (const { url, headers } of cases) await askTimed(url, { headers });
  return { name: 'proxy', server: proxy, upstream, cases, silenceMs: timeoutMs };
}

const quiet = { log_sample_every: 1_000_000 };

/** Credentials with which the gateway gets a token itself. */
function loginOf({ url }: FaultUpstream, email: string) {
  return { type: 'login', token_url: `${url}/v2/login`, fields: { email } };
}

async function tokenOf({ url }: FaultUpstream, email: string): Promise<string> {
  const response = await fetch(`${url}/v2/login`, { method: 'POST', body: new URLSearchParams({ email }) });
  return ((await response.json()) as { access_token: string }).access_token;
}
