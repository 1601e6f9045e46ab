import { readdirSync } from 'node:fs';
import { type Figure, judge } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { askTimed } from '../src/faults/ask-timed.ts';
import { describeOutcome, expectedAtGateway, expectedAtProxy, type Got } from '../src/faults/expected-answers.ts';
import { type FaultUpstream, startFaultUpstream } from '../src/faults/fault-upstream.ts';
import { type Fault, type FaultName, faults } from '../src/faults/faults.ts';
import { emailOf, keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { pollUntil } from '../src/poll-until.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { inspectable, liveHeapBytes } from '../src/promises/live-heap.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import type { ServerProcess } from '../src/server-process.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

const timeoutMs = 1_000;
/** How long a gateway lets an upstream pause in the midst of a body. */
const silenceMsMax = 30_000;
/** Timers are no more exact, beside what the answer itself takes. */
const lateMsMax = 250;
const mebibyte = 1024 * 1024;

const gone: Got = '200, for as long as wanted';

/** One fault, and where it is met. */
interface Case {
  readonly fault: FaultName;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose requests the upstream fails so. */
  readonly email: string;
  readonly expected: Got | 'whole';
}

interface Subject {
  readonly name: string;
  readonly server: ServerProcess;
  readonly upstream: FaultUpstream;
  readonly cases: readonly Case[];
}

export const promise = definePromise({
  number: 27,
  title: 'Upstream faults are bounded',
  done: 'an upstream is late, drips, stalls, resets, truncates, sends garbage, refuses and freezes, behind the gateway and behind the proxy, three callers at a time',
  target: '502 or 504 by the deadline, no leaked socket',
  isTimed: true,
  async run(trial) {
    const subjects = [await startGateway(trial.atEnd), await startStaffProxy(trial.atEnd)];
    return (await Promise.all(subjects.map((subject) => trySubject(subject, trial)))).flat();
  },
});

async function trySubject(
  { name, server, upstream, cases }: Subject,
  { scale, often, say, atEnd }: Trial,
): Promise<Figure[]> {
  const rounds = often({ ci: 2, full: 15 });
  const pid = server.child.pid as number;
  const stalls = watchStalls([pid, process.pid], atEnd);
  const clock = () => performance.now() - stalls.stalledMs();
  const others: string[] = [];
  let latestMs = Number.NEGATIVE_INFINITY;
  let latest = '';
  let [asked, refused, open] = [0, 0, 0];

  const askCase = async ({ fault, url, headers, expected }: Case) => {
    // The others end by themselves.
    const hangUpMs = expected === gone ? 1.5 * timeoutMs : 60_000;
    const startedMs = performance.now();
    const outcome = await askTimed(url, { headers, hangUpMs, clock }).catch(() => undefined);
    asked++;
    // Whoever hangs up before there is a head has no answer to judge: the deadline is for the upstream's head.
    const got = outcome === undefined ? gone : describeOutcome(outcome);
    if (got === '502' || got === '504') refused++;
    // One that has failed again and again is not asked for a while, and that is said at once.
    if (got === '503' && expected !== '503') open++;
    else if (!isExpected(got, expected)) {
      // On a machine that is busy whoever is only slow may be too late.
      const isLate = got === '504' || expected === gone;
      if (!(isLate && stalls.isStarvedSince(startedMs))) others.push(`${fault}: ${got}`);
    }
    const lateMs = (outcome?.headMs ?? 0) - timeoutMs;
    if (lateMs > latestMs) [latestMs, latest] = [lateMs, `${fault} at the ${name}`];
  };
  const askAll = (of: readonly Case[]) => Promise.all(of.flatMap((one) => [0, 1, 2].map(() => askCase(one))));

  /** Each of the others is met alone, by those who are failed so. */
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
  /** Whoever was failed is answered again; until then some are not asked for a while. */
  const untilSound = ({ fault, url, headers }: Case) =>
    pollUntil(async () => (await askTimed(url, { headers })).status === 200, {
      withinMs: 30_000,
      everyMs: 100,
      describe: () => `the ${name} still fails whom an upstream has failed that ${fault}`,
    });
  const files = () => readdirSync(`/proc/${pid}/fd`).length;
  const isAtRest = () => upstream.openSockets() === 0;
  const rest = (filesMax: number) =>
    pollUntil(() => isAtRest() && files() <= filesMax, {
      withinMs: 30_000,
      describe: () => `the ${name} keeps ${upstream.openSockets()} connections and ${files()} files, of ${filesMax}`,
    });

  /** A pause in a body has a deadline of its own, at a gateway one that only the whole trial has time for. */
  async function endOfSilence(): Promise<number> {
    const silent = cases.filter((one) => one.fault.startsWith('stalls'));
    if (scale === 'ci' || name !== 'gateway') return 0;
    for (const { fault, email } of silent) upstream.use(faults[fault], email);
    const hangUpMs = 3 * silenceMsMax;
    const waits = silent.map(async ({ url, headers }) => {
      const startedMs = clock();
      // Where no byte of the body has come, the connection ends without a head.
      const outcome = await askTimed(url, { headers, hangUpMs }).catch(() => undefined);
      if (outcome?.isWhole && outcome.status !== 504) others.push(`silence: ${outcome.status}`);
      return clock() - startedMs;
    });
    const tookMs = await Promise.all(waits);
    upstream.use();
    return Math.max(...tookMs);
  }

  // The first round fills what is kept: compiled code, buffers, one breaker for each.
  await round();
  await rest(Number.POSITIVE_INFINITY);
  const [filesBefore, heapBefore] = [files(), await liveHeapBytes(server)];
  [asked, refused, open, latestMs] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  others.length = 0;
  for (let i = 1; i <= rounds; i++) {
    await round();
    if (i % 10 === 0) say(`${name}: ${i} rounds`);
  }
  const away = cases.filter(({ fault }) => fault === 'resets on a request').map((one) => ({ ...one }));
  const outages = [
    ['502', upstream.refuse],
    ['504', upstream.freeze],
  ] as const;
  for (const [, begin] of outages) {
    await begin();
    const outcomes = await Promise.all(
      away.flatMap(({ url, headers }) => Array.from({ length: 10 }, () => askTimed(url, { headers, clock }))),
    );
    for (const { status, endMs } of outcomes) {
      asked++;
      if (![502, 503, 504].includes(status)) others.push(`away: ${status}`);
      if (endMs - timeoutMs > latestMs) [latestMs, latest] = [endMs - timeoutMs, `an upstream that is away, ${name}`];
    }
    await upstream.recover();
  }
  const silentMs = await endOfSilence();
  await rest(filesBefore);
  const moreFiles = files() - filesBefore;
  const moreHeap = (await liveHeapBytes(server)) - heapBefore;
  return [
    judge({ name: `beyond the deadline at the ${name}`, unit: 'ms', max: lateMsMax }, latestMs, latest),
    ...(silentMs > 0
      ? [judge({ name: 'until a silent body is ended', unit: 'ms', max: silenceMsMax + 1_000 }, silentMs)]
      : []),
    judge({ name: 'answered otherwise', unit: '', max: 0 }, others.length, others.slice(0, 3).join(', ')),
    judge({ name: 'requests', unit: '', min: 100 * rounds }, asked),
    judge({ name: '502 or 504', unit: '', min: 5 * rounds }, refused),
    judge({ name: '503 meanwhile', unit: '', max: asked / 2 }, open),
    judge({ name: 'more files', unit: '', max: 0 }, moreFiles),
    judge({ name: 'more heap', unit: 'MiB', max: 8 }, moreHeap / mebibyte),
  ];
}

/** Which of the two a fault becomes is a matter of whether it or the deadline comes first. */
function isExpected(got: Got, expected: Got | 'whole'): boolean {
  if (expected === 'whole') return !got.startsWith('200,') && got !== '502' && got !== '504';
  return got === expected || (failures.has(got) && failures.has(expected));
}

const failures: ReadonlySet<Got> = new Set(['502', '504']);
const names = Object.keys(faults) as FaultName[];
const accountOf = (fault: FaultName) => `account-${names.indexOf(fault)}`;

/** One endpoint for each fault, whose upstream knows it by its token. */
async function startGateway(atEnd: AtEnd): Promise<Subject> {
  const upstream = await startFaultUpstream();
  atEnd(upstream.stop);
  // It logs in nowhere: what fails a login fails nothing here.
  const met = names.filter((fault) => !('login' in (faults[fault] as Fault)));
  const endpoints = await Promise.all(
    met.map(async (fault, i) => ({
      path: `/of/${i}`,
      service: 'http',
      upstream: {
        // Each at an address of its own: what opens a breaker for one opens it for no other.
        targets: [`${upstream.url}/${i}`],
        headers: { Authorization: `bearer ${await tokenOf(upstream, emailOf(accountOf(fault)))}` },
        timeout_ms: timeoutMs,
      },
    })),
  );
  const gateway = await spawnGateway({ settings: quiet, endpoints, env: inspectable }, atEnd);
  const cases = met.map((fault, i) => ({
    ...{ fault, url: `${gateway.url}/of/${i}`, headers: {}, email: emailOf(accountOf(fault)) },
    expected: expectedAtGateway[fault] ?? ('whole' as const),
  }));
  return { name: 'gateway', server: gateway, upstream, cases };
}

async function startStaffProxy(atEnd: AtEnd): Promise<Subject> {
  // The refusals of a login stand longer than a trial.
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
  return { name: 'proxy', server: proxy, upstream, cases };
}

const quiet = { log_sample_every: 1_000_000 };

async function tokenOf({ url }: FaultUpstream, email: string): Promise<string> {
  const answer = await fetch(`${url}/v2/login`, { method: 'POST', body: new URLSearchParams({ email }) });
  return ((await answer.json()) as { access_token: string }).access_token;
}
