import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { type AskTimedOptions, askTimed } from '../src/faults/ask-timed.ts';
import type { Exchange } from '../src/faults/exchange.ts';
import { type FaultUpstream, startFaultUpstream } from '../src/faults/fault-upstream.ts';
import type { Fault } from '../src/faults/faults.ts';
import type { SeenRequest } from '../src/faults/read-requests.ts';
import { emailOf, keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { inLanes } from '../src/promises/in-lanes.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly upstream: FaultUpstream;
  readonly readPath: string;
  /** Writes that must not be repeated; the mark is in the body. */
  readonly writes: readonly { readonly method: string; readonly path: string; readonly field: string }[];
}

export const promise = definePromise({
  number: 28,
  title: 'Retries are safe',
  done: 'The upstream closes reused connections: after it handled the request but before it responds, within the response head, and while they idle; writes and reads alternate',
  target: '0 duplicated writes',
  async run(trial) {
    const subjects = [await startGateway(trial.atEnd), await startStaffProxy(trial.atEnd)];
    return (await Promise.all(subjects.map((subject) => trySubject(subject, trial)))).flat();
  },
});

async function trySubject(subject: Subject, { byScale, say }: Trial): Promise<Figure[]> {
  const count = byScale({ ci: 1_200, full: 10_000 });
  const { name, url, headers, upstream, readPath, writes } = subject;
  const closing = createClosingFault();
  const [acknowledged, rejections]: [string[], Set<number>] = [[], new Set()];
  const failedReads: string[] = [];
  upstream.use(closing.fault);
  await inLanes(
    8,
    Array.from({ length: count }, (_, n) => n),
    async (n) => {
      const mark = `mark-${n}-`;
      const isRead = n % 2 === 0;
      const write = writes[(n >> 1) % writes.length] as Subject['writes'][number];
      const options: AskTimedOptions = isRead
        ? { headers }
        : { headers, method: write.method, json: { [write.field]: mark } };
      const path = isRead ? `${readPath}${n}` : write.path;
      const { status, isWhole, body } = await askTimed(url + path, options);
      const isDone = isWhole && status >= 200 && status < 300;
      if (isRead && !isDone) failedReads.push(`${status} at the ${name}: ${body.slice(0, 300)}`);
      if (!isRead && isDone) acknowledged.push(mark);
      if (!isRead && !isDone) rejections.add(status);
      // About the idle time of the upstream.
      await wait(n % 12);
      if (n > 0 && n % 5_000 === 0) say(`${name}: ${n} requests`);
    },
  );
  const sent = countMarks(upstream.requests);
  const duplicated = [...sent].filter(([, times]) => times > 1);
  const missing = acknowledged.filter((mark) => sent.get(mark) !== 1);
  const otherRejections = [...rejections].filter((status) => status !== 502 && status !== 503);
  return [
    toFigure(
      { name: `duplicated writes at the ${name}`, unit: '', max: 0 },
      duplicated.length,
      duplicated[0]?.join(' '),
    ),
    toFigure({ name: 'acknowledged and not done', unit: '', max: 0 }, missing.length, missing[0]),
    toFigure({ name: 'reads failed', unit: '', max: 0 }, failedReads.length, failedReads[0]),
    toFigure(
      { name: 'writes rejected with other statuses than 502 and 503', unit: '', max: 0 },
      otherRejections.length,
      otherRejections.join(),
    ),
    toFigure({ name: 'connections closed at the worst moment', unit: '', min: count / 40 }, closing.count()),
    // Most writes meet no closing connection.
    toFigure({ name: 'acknowledged writes', unit: '', min: count / 4 }, acknowledged.length),
  ];
}

/** How long connections idle before the upstream closes them. */
const idleMs = 8;
/** One in this many requests on a reused connection meets its end. */
const closesEvery = 12;

/** Returns a fault that closes each request at most once, so that a safe retry succeeds. */
function createClosingFault(): { readonly fault: Fault; count(): number } {
  const used = new WeakSet<Socket>();
  const closed = new Set<string>();
  let [reused, count] = [0, 0];
  const ways: readonly ((exchange: Exchange) => void)[] = [
    ({ reset }) => reset(),
    ({ end }) => end(),
    ({ write, end }) => {
      write('HTTP/1.1 200 OK\r\nContent-Le');
      end();
    },
  ];
  return {
    count: () => count,
    fault: {
      respond(exchange, sound) {
        const { request, socket } = exchange;
        const isReused = used.has(socket);
        used.add(socket);
        const name = `${request.path} ${request.body}`;
        if (isReused && !closed.has(name) && ++reused % closesEvery === 0) {
          closed.add(name);
          (ways[count++ % ways.length] as (typeof ways)[number])(exchange);
          return;
        }
        sound();
        if (reused % 3 === 0) exchange.later(idleMs, () => socket.destroy());
      },
    },
  };
}

function countMarks(requests: readonly SeenRequest[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of requests) {
    const [mark] = /mark-\d+-/.exec(body) ?? [];
    if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return counts;
}

/** One request can meet several closing connections in a row. */
const retries = 5;
const quiet = { log_sample_every: 1_000_000 };
const people = '/v2/staffmember';

async function startGateway(atEnd: AtEnd): Promise<Subject> {
  const upstream = await startFaultUpstream();
  atEnd(upstream.stop);
  const login = await fetch(`${upstream.url}/v2/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: emailOf('ann') }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const to = { targets: [upstream.url], retries, path: people, headers: { Authorization: `bearer ${token}` } };
  const endpoints = [
    { path: '/people', service: 'http', upstream: to },
    // PUT and DELETE may be sent again by their meaning (RFC 9110 §9.2.2).
    ...['POST', 'PATCH'].map((method) => ({ path: '/people', method, service: 'http', upstream: to })),
  ];
  const { url } = await spawnGateway({ settings: quiet, endpoints }, atEnd);
  const writes = ['POST', 'PATCH'].map((method) => ({ method, path: '/people', field: 'mark' }));
  return { name: 'gateway', url, headers: {}, upstream, readPath: '/people?n=', writes };
}

async function startStaffProxy(atEnd: AtEnd): Promise<Subject> {
  const { proxy, upstream, stop } = await spawnFaultedProxy(
    { accounts: ['ann'], settings: { ...quiet, upstream_retries: retries } },
    spawnProxy,
  );
  atEnd(stop);
  const writes = [
    { method: 'POST', path: people, field: 'StaffId' },
    { method: 'PUT', path: `${people}/S-1`, field: 'FirstName' },
  ];
  const headers = { 'X-API-Key': keyOf('ann') };
  return { name: 'proxy', url: proxy.url, headers, upstream, readPath: `${people}?$skip=`, writes };
}
