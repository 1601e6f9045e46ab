import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { pollUntil } from '../src/poll-until.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { type BodyForm, createWrongForms } from '../src/promises/hostile/body-forms.ts';
import { exchangeRaw, rejectionFault, responseFault } from '../src/promises/hostile/exchange-raw.ts';
import { fuzzAdmin, startAdminApi } from '../src/promises/hostile/fuzz-admin.ts';
import { type Fuzzed, fuzzFiles } from '../src/promises/hostile/fuzz-files.ts';
import { fuzzFilters, fuzzPaths } from '../src/promises/hostile/fuzz-requests.ts';
import { brokenJson, placesOf, trickyJson } from '../src/promises/hostile/json-texts.ts';
import { type RawRequest, rawRequests, unknownCodings } from '../src/promises/hostile/raw-requests.ts';
import { bodyTargets, headOf, type Target } from '../src/promises/hostile/targets.ts';
import { askVaried } from '../src/promises/hostile/varied-requests.ts';
import { startWatchedServers } from '../src/promises/hostile/watched-servers.ts';
import { inLanes } from '../src/promises/in-lanes.ts';
import { type RunningServers, startServers } from '../src/start-servers.ts';

const abreast = 6;
const json = { 'Content-Type': 'application/json' };

export const promise = definePromise({
  number: 20,
  title: 'Malformed input gets a 4xx problem+json',
  done: 'Invalid JSON, bodies of wrong types and encodings, and bytes that are no request; random settings, endpoints, keys, paths, filters and requests of the admin API; requests in which everything varies',
  target: 'all',
  async run(trial) {
    const { atEnd, byScale, say, seed } = trial;
    const servers = await startServers();
    atEnd(servers.stop);
    const targets = await bodyTargets(servers);
    const admin = await startAdminApi(atEnd);
    for (const target of [...targets, admin]) await checkGood(target);
    const bodies = await tryBodies([...targets, admin], byScale({ ci: 5, full: 1 }));
    say(`${bodies.count} bodies`);
    const sockets = await trySockets(targets);
    say(`${sockets.count} byte sequences; closed without a response: ${sockets.closed.join(', ')}`);
    const faults = [...bodies.faults, ...sockets.faults, ...(await deadServers(servers))];
    for (const fault of faults) say(fault);
    const asked = await fuzzAdmin(admin, byScale({ ci: 400, full: 10_000 }), seed);
    for (const fault of asked.faults.slice(0, 20)) say(`${asked.name}: ${fault}`);
    const varied = await askVaried({ count: byScale({ ci: 4_000, full: 100_000 }), seed, say, atEnd });
    const { count } = varied;
    return [
      toFigure({ name: 'wrong responses', unit: '', max: 0 }, faults.length, faults.slice(0, 3).join('; ')),
      toFigure({ name: 'bodies', unit: '', min: byScale({ ci: 1_000, full: 5_000 }) }, bodies.count),
      toFigure({ name: 'byte sequences', unit: '', min: 500 }, sockets.count),
      ...(await fuzz(trial)),
      toFigure({ name: `failures with ${asked.name}`, unit: '', max: 0 }, asked.faults.length, asked.faults[0]),
      toFigure({ name: `accepted of ${asked.count} of them`, unit: '', min: asked.count / 10 }, asked.accepted),
      toFigure(
        { name: 'more heap per varied request', unit: 'bytes', max: byScale({ ci: 128, full: 32 }) },
        varied.moreHeapBytesPerRequest,
      ),
      toFigure({ name: 'more handles and timers', unit: '', max: 5 }, varied.moreResources),
      toFigure({ name: 'varied requests', unit: '', min: count }, count),
      toFigure({ name: 'of them failed', unit: '', max: 0 }, varied.faults.length, varied.faults[0]),
      // Requests that are all rejected early would not reach the code that stores state.
      toFigure({ name: 'accepted', unit: '', min: count / 5 }, varied.accepted),
      toFigure({ name: 'accepted with a body', unit: '', min: count / 40 }, varied.acceptedBodies),
    ] satisfies Figure[];
  },
});

/** Sends random files, paths and filters, some of them valid: none causes a failure or takes long. */
async function fuzz({ atEnd, byScale, say, seed }: Trial): Promise<Figure[]> {
  const count = byScale({ ci: 2_000, full: 100_000 });
  const { all, credentials } = await startWatchedServers(atEnd, { settings: { log_sample_every: 1_000_000 } });
  const scheduling = all.at(-1) as (typeof all)[number];
  const fuzzed: Fuzzed[] = [
    ...(await fuzzFiles(count, seed, say)),
    await fuzzPaths(all, count, seed),
    await fuzzFilters(scheduling, credentials.COMPANY_KEY, count, seed),
  ];
  return fuzzed.flatMap(({ name, count: tried, accepted, faults, longestMs }) => {
    for (const fault of faults.slice(0, 20)) say(`${name}: ${fault}`);
    return [
      toFigure({ name: `failures with ${name}`, unit: '', max: 0 }, faults.length, faults[0]),
      toFigure({ name: `slowest of ${name}`, unit: 'ms', max: 50 }, longestMs),
      // Some input must be accepted, or the input is too random to reach far.
      toFigure({ name: `accepted of ${tried.toLocaleString('en-US')}`, unit: '', min: tried / 100 }, accepted),
    ];
  });
}

interface Checked {
  readonly count: number;
  readonly faults: readonly string[];
}

/** Ensures that a valid request succeeds, so that rejections have the expected cause. */
async function checkGood(target: Target): Promise<void> {
  const { url, method, path, headers } = target;
  const name = `good-${Date.now()}`;
  const body = JSON.stringify(
    path.endsWith('/login') ? { email: 'a', password: 'b' } : path === '/keys' ? { name } : { StaffId: name },
  );
  const { status } = await fetch(url + path, { method, headers: { ...headers, ...json }, body });
  const wanted = path.endsWith('/login') ? 401 : path.startsWith('/api/') ? 200 : 201;
  if (status !== wanted) throw new Error(`${target.server} ${path} responds ${status} to a valid request.`);
}

/** @param each sends one in this many cases to each target, different ones to the next */
async function tryBodies(targets: readonly Target[], each: number): Promise<Checked> {
  const of = (texts: Readonly<Record<string, string | Uint8Array>>, mayBeAccepted: boolean) =>
    Object.entries(texts).flatMap(([name, text]) =>
      placesOf(text).map((bytes) => ({ form: { name, fields: json, bytes } as BodyForm, mayBeAccepted })),
    );
  const forms = [
    ...of(brokenJson, false),
    ...of(trickyJson, true),
    ...createWrongForms().map((form) => ({ form, mayBeAccepted: false })),
  ];
  const cases = targets.flatMap((target, t) =>
    forms.filter((_, f) => (f + t) % each === 0).map((one) => ({ target, ...one })),
  );
  const faults = await inLanes(abreast, cases, async ({ target, form: { name, fields, bytes }, mayBeAccepted }) => {
    const head = `${headOf(target, { 'Content-Length': String(bytes.length), ...fields })}\r\n`;
    const exchange = await exchangeRaw(target.url, Buffer.concat([Buffer.from(head, 'latin1'), bytes]));
    const fault = (mayBeAccepted ? responseFault : rejectionFault)(exchange);
    return fault && `${name} as a body of ${target.server} ${target.path}: ${fault}`;
  });
  return { count: cases.length, faults: faults.filter((fault) => fault !== undefined) };
}

async function trySockets(targets: readonly Target[]): Promise<Checked & { readonly closed: readonly string[] }> {
  const cases = targets.flatMap((target) => {
    const start = headOf({ ...target, method: 'GET', path: '/health/live', headers: {} });
    return rawRequests(start, headOf(target, json)).map((one) => ({ target, one }));
  });
  const closed = new Set<string>();
  const faults = await inLanes(abreast, cases, async ({ target, one }) => {
    const { name, bytes, isEnded = false, mayClose = false } = one satisfies RawRequest;
    const exchange = await exchangeRaw(target.url, bytes, { isEnded });
    const fault = rejectionFault(exchange, unknownCodings.has(name) ? 501 : undefined);
    if (fault !== undefined && mayClose && exchange.text === '') {
      closed.add(name);
      return undefined;
    }
    return fault && `${name} at ${target.server}: ${fault}`;
  });
  return { count: cases.length, faults: faults.filter((fault) => fault !== undefined), closed: [...closed] };
}

async function deadServers({ urls }: RunningServers): Promise<string[]> {
  const dead = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => {
      let status: number | string = 0;
      const isReady = async () => {
        status = await fetch(`${url}/health/ready`).then((response) => response.status, String);
        return status === 200;
      };
      const describe = () => `${name} is not ready afterwards: ${status}`;
      return pollUntil(isReady, { withinMs: 10_000, describe }).then(
        () => [],
        (error: Error) => [error.message],
      );
    }),
  );
  return dead.flat();
}
