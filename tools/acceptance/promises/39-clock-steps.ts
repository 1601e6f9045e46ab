import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { type AtEnd, makeTemporaryFolder } from '../src/at-end.ts';
import { emailOf, keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { pollUntil } from '../src/poll-until.ts';
import { type AskOptions, askMany, askOnce, countStatuses, type Reply } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { fixedEndpoint } from '../src/promises/live-edits.ts';
import { startRecordingUpstream } from '../src/promises/recording-upstream.ts';
import { type SpawnedGateway, spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

const hourMs = 3_600_000;
const keys = { lasting: 'trial-key-without-an-end', ending: 'trial-key-with-an-end' };
const anonymousLimit = 60;
const planLimit = 30;
/** How long a process may lack the CPU. */
const patienceMs = 20_000;
const plan = {
  limits: [
    { requests: planLimit, per: 'minute' },
    { requests: 100_000, per: 'hour' },
  ],
  quota: { requests: 1_000_000, per: 'day' },
};

/** Collects deviations that the clock step does not explain. */
class Faults {
  readonly #all: string[] = [];
  checks = 0;

  check(name: string, isRight: boolean, found: unknown = ''): void {
    this.checks++;
    if (!isRight) this.#all.push(`${name} ${String(found)}`.trim());
  }

  figures(name: string): readonly Figure[] {
    return [
      toFigure({ name: `faults at the ${name}`, unit: '', max: 0 }, this.#all.length, this.#all.slice(0, 3).join('; ')),
      toFigure({ name: 'checks', unit: '', min: 60 }, this.checks),
    ];
  }
}

export const promise = definePromise({
  number: 39,
  title: 'Clock steps lock no client out',
  done: 'The wall clock of a gateway, a gateway with two workers and a proxy steps by an hour forwards and backwards while requests are in flight; then keys, tokens, stored responses, limits, plans, edits and figures are checked',
  target: 'off by no more than the step, no client locked out',
  async run({ byScale, atEnd, say }) {
    const rounds = byScale({ ci: 1, full: 8 });
    const steps = Array.from({ length: rounds }, () => [hourMs, 0, -hourMs, 0]).flat();
    const clock = await createClock(atEnd);
    const gateways = [
      { name: 'gateway', faults: new Faults(), try: await startTrial({}, steps.length, clock.env, atEnd) },
      {
        name: 'gateway with workers',
        faults: new Faults(),
        try: await startTrial({ workers: 2 }, steps.length, clock.env, atEnd),
      },
    ];
    const proxy = { name: 'proxy', faults: new Faults(), try: await startProxyTrial(clock.env, atEnd) };
    for (const [round, shiftMs] of steps.entries()) {
      const step = () => clock.set(shiftMs);
      const stepped = Promise.withResolvers<void>();
      const trials = [...gateways, proxy].map((one) => one.try(round, shiftMs, stepped.promise, one.faults));
      await wait(200);
      await step();
      stepped.resolve();
      await Promise.all(trials);
      say(`step ${round + 1} of ${steps.length}`);
    }
    return [...gateways, proxy].flatMap(({ name, faults }) => faults.figures(name));
  },
});

type Try = (round: number, shiftMs: number, stepped: Promise<void>, faults: Faults) => Promise<void>;

async function startTrial(more: object, rounds: number, env: Record<string, string>, atEnd: AtEnd): Promise<Try> {
  let sent = 0;
  const upstream = await startRecordingUpstream(atEnd, (res, { url }) => {
    const respond = () => res.setHeader('Content-Type', 'application/json').end(String(++sent));
    setTimeout(respond, url.includes('slow') ? 600 : 0);
  });
  const endpointOf = (path: string, rest: object = {}) => ({
    ...{ path, service: 'http', upstream: { targets: [upstream.url] } },
    ...rest,
  });
  const endpointsOf = (round: number) => [
    endpointOf('/slow'),
    endpointOf('/stored', { cache_seconds: 3_600 }),
    { ...fixedEndpoint('x', '/keyed'), requires_auth: true },
    fixedEndpoint(round, '/round'),
  ];
  const gateway = await spawnGateway(
    {
      settings: {
        ...{ api_keys: '', keys_file: 'keys.json', rate_limit_enabled: true, trusted_proxies: ['127.0.0.1'] },
        ...{ rate_limit_per_minute_authenticated: 100_000, plans: { trial: plan }, log_sample_every: 100_000, ...more },
      },
      endpoints: endpointsOf(0),
      files: { 'keys.json': JSON.stringify({ keys: keyEntries(rounds) }) },
      env,
    },
    atEnd,
  );
  const ask = (path: string, options: AskOptions = {}) => askOnce(gateway.url + path, options);
  const withKey = (key: string) => ({ headers: { 'X-API-Key': key } });

  return async (round, shiftMs, stepped, faults) => {
    const from = (host: string) => ({ headers: { 'X-Forwarded-For': `203.0.${round}.${host}` } });
    const used = await askMany({
      count: anonymousLimit + 5,
      abreast: 5,
      ask: () => ({ url: `${gateway.url}/round`, ...from('1') }),
    });
    faults.check('limit before the step', countStatuses(used)[200] === anonymousLimit);
    const [first, second] = plannedKeys(round);
    const [usingUp, fresh] = [withKey(first), withKey(second)];
    const planned = await askMany({
      count: planLimit + 5,
      abreast: 5,
      ask: () => ({ url: `${gateway.url}/round`, ...usingUp }),
    });
    faults.check('plan before the step', countStatuses(planned)[200] === planLimit);
    const inFlight = Array.from({ length: 8 }, () => ask('/slow', withKey(keys.lasting)));
    await stepped;
    await wait(100);
    for (const { status, fault } of await Promise.all(inFlight))
      faults.check('in flight', status === 200, fault ?? status);

    for (const [name, usedUp, unused, limit] of [
      ['limit', from('1'), from('2'), anonymousLimit],
      ['plan', usingUp, fresh, planLimit],
    ] as const) {
      const rejected = await ask('/round', usedUp);
      const waitS = Number(rejected.headers['retry-after']);
      faults.check(`used-up ${name}`, rejected.status === 429 && waitS >= 1 && waitS <= 60, rejected.status);
      const admitted = await ask('/round', unused);
      faults.check(
        `fresh ${name}`,
        admitted.status === 200 && left(admitted) === limit - 1,
        admitted.headers.ratelimit,
      );
    }

    faults.check('key without an expiry', (await ask('/keyed', withKey(keys.lasting))).status === 200);
    const wanted = shiftMs > 0 ? 401 : 200;
    // A server without the CPU notices the step later.
    const ending = await askUntil(
      () => ask('/keyed', withKey(keys.ending)),
      ({ status }) => status === wanted,
    );
    faults.check('key that expires in half an hour', ending.status === wanted, ending.status);

    const before = sent;
    const stored = [await ask('/stored', withKey(keys.lasting)), await ask('/stored', withKey(keys.lasting))];
    for (const { status, headers } of stored) {
      faults.check('stored response', status === 200, status);
      faults.check('its Age', headers.age === undefined || /^\d{1,4}$/.test(headers.age), headers.age);
    }
    // Each worker has its own cache.
    faults.check('requests for it', sent - before <= 2, sent - before);

    await checkEdit(gateway, endpointsOf(round + 1), round + 1, faults);
    await checkFigures(ask, faults);
  };
}

/** Checks that an edit is live as soon as without a clock step. */
async function checkEdit(gateway: SpawnedGateway, endpoints: readonly object[], round: number, faults: Faults) {
  const editedMs = performance.now();
  await gateway.write('endpoints.json', { endpoints });
  let text = '';
  while (text !== String(round) && performance.now() - editedMs < patienceMs) {
    ({ text } = await askOnce(`${gateway.url}/round`, { headers: { 'X-API-Key': keys.lasting } }));
    await wait(20);
  }
  faults.check('edit after', text === String(round), text);
}

/** Checks that no figure is negative, and that no request took as long as a step. */
async function checkFigures(ask: (path: string, options?: AskOptions) => Promise<Reply>, faults: Faults) {
  const metrics = await ask('/metrics');
  const negative = metrics.text.match(/^[a-z]\S* -[\d.]+$/m);
  faults.check('negative figure', metrics.status === 200 && negative === null, negative?.[0]);
  const sums = [...metrics.text.matchAll(/^http_request_duration_seconds_sum\S* ([\d.]+)$/gm)];
  faults.check('durations', sums.length > 0 && sums.every(([, seconds]) => Number(seconds) < 600), sums.length);
  const uptime = Number(/^process_uptime_seconds ([\d.]+)$/m.exec(metrics.text)?.[1]);
  faults.check('uptime', uptime >= 0 && uptime < 1_800, uptime);
  // A proxy without the CPU may have found its upstream late.
  const ready = await askUntil(
    () => ask('/health/ready'),
    ({ status }) => status === 200,
  );
  const { uptime_seconds } = JSON.parse(ready.text || '{}') as { uptime_seconds?: number };
  faults.check(
    'readiness',
    ready.status === 200 && Number(uptime_seconds) < 1_800,
    `${ready.status} ${uptime_seconds}`,
  );
}

async function startProxyTrial(env: Record<string, string>, atEnd: AtEnd): Promise<Try> {
  const settings = {
    rate_limit_enabled: true,
    log_sample_every: 100_000,
    rate_limit_per_minute_authenticated: 100_000,
  };
  const { proxy, stop } = await spawnFaultedProxy({ accounts: ['ann'], settings, env }, spawnProxy);
  atEnd(stop);
  const ask = (path: string, options: AskOptions = {}) => askOnce(proxy.url + path, options);
  const body = JSON.stringify({ email: 'ann', password: keyOf('ann') });
  const login = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const { access_token: token } = JSON.parse((await ask('/v2/login', login)).text) as { access_token: string };
  const credentials = [{ 'X-API-Key': keyOf('ann') }, { Authorization: `Bearer ${token}` }];

  return async (_round, _shiftMs, stepped, faults) => {
    const read = (headers: Record<string, string>) => ask('/v2/staffmember/S-1', { headers });
    const inFlight = credentials.map(read);
    await stepped;
    await wait(100);
    for (const reply of [...(await Promise.all(inFlight)), ...(await Promise.all(credentials.map(read)))]) {
      faults.check(`key and token of ${emailOf('ann')}`, reply.status === 200, reply.fault ?? reply.status);
    }
    for (let i = 0; i < 8; i++) {
      for (const reply of await Promise.all(credentials.map(read))) faults.check('read after', reply.status === 200);
    }
    await checkFigures(ask, faults);
  };
}

/** Sends the request until the reply is as wanted; returns the last reply. */
async function askUntil(send: () => Promise<Reply>, isWanted: (reply: Reply) => boolean): Promise<Reply> {
  let reply = await send();
  const again = async () => {
    if (isWanted(reply)) return true;
    reply = await send();
    return isWanted(reply);
  };
  await pollUntil(again, { withinMs: patienceMs, everyMs: 20, describe: () => '' }).catch(() => {});
  return reply;
}

function left({ headers }: Reply): number {
  return Number(/;r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
}

/** Returns the keys of a round that have the plan: one uses it up, the other does not. */
const plannedKeys = (round: number) => [`trial-key-using-up-${round}`, `trial-key-using-little-${round}`] as const;

function keyEntries(rounds: number) {
  const entryOf = (name: string, key: string, more: object) => ({
    ...{ name, owner: name, prefix: 'trial', scopes: [], revoked_at: null, expires_at: null },
    ...{ sha256: createHash('sha256').update(key).digest('hex'), created_at: '2026-01-01T00:00:00.000Z', ...more },
  });
  const planned = Array.from({ length: rounds }, (_, round) => plannedKeys(round)).flat();
  return [
    entryOf('lasting', keys.lasting, {}),
    entryOf('ending', keys.ending, { expires_at: new Date(Date.now() + hourMs / 2).toISOString() }),
    ...planned.map((key, n) => entryOf(`planned-${n}`, key, { plan: 'trial' })),
  ];
}

/** Creates the file that `shift-clock.ts` reads, and the environment that loads it into each process of a server. */
async function createClock(atEnd: AtEnd) {
  const folder = await makeTemporaryFolder('rostergate-clock-', atEnd);
  const file = join(folder, 'shift');
  const preload = new URL('../src/promises/shift-clock.ts', import.meta.url).href;
  const set = (shiftMs: number) => writeFile(file, String(shiftMs));
  await set(0);
  return { set, env: { NODE_OPTIONS: `--import=${preload}`, TRIAL_CLOCK_FILE: file } };
}
