import { toFigure } from '../../benchmark/src/figure.ts';
import { createEndings } from '../src/at-end.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { fixedEndpoint } from '../src/promises/live-edits.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { freeze, livingWorkers, workersServed } from '../src/promises/worker-lines.ts';
import { goodKey, type SpawnedGateway, spawnGateway } from '../src/spawn-gateway.ts';

const drainMs = 1_000;
// Without a limit, so that each rejection has the status of its reason.
const settings = { workers: 2, drain_ms: drainMs, log_sample_every: 100_000, rate_limit_enabled: false };
const endpoint = { ...fixedEndpoint('open'), requires_auth: true };
const withKey = { Connection: 'close', 'X-API-Key': goodKey };

interface Change {
  readonly name: string;
  /** The status of the request after the edit. */
  readonly status: number;
  readonly make: (gateway: SpawnedGateway) => Promise<void>;
}

/** Edits after which an earlier request is rejected. */
const changes: readonly Change[] = [
  {
    name: 'a revoked key',
    status: 401,
    make: (gateway) => gateway.write('settings.json', { ...settings, api_keys: 'another-key-of-this-test' }),
  },
  {
    name: 'a key removed beside a service that never loads',
    status: 401,
    async make(gateway) {
      await gateway.write('services/loop.ts', 'for (;;) {}\n');
      await gateway.write('ring.txt', 'another-key-of-this-test\n');
    },
  },
  {
    name: 'a removed endpoint',
    status: 404,
    make: (gateway) => gateway.write('endpoints.json', { endpoints: [] }),
  },
];

export const promise = definePromise({
  number: 32,
  title: 'A frozen process cannot hold up the others',
  done: 'One of two workers is frozen with SIGSTOP; then a key is revoked, alone or beside a service that never loads, or an endpoint is removed, metrics are requested, or SIGTERM is sent',
  excludes: 'time in which the primary, a worker that runs or the client waited for the CPU',
  target: 'rejected everywhere within 2 s, metrics within 1 s, exit by the drain deadline + 1 s',
  runsAlone: 'at full scale',
  async run({ byScale, say }) {
    const rounds = byScale({ ci: 3, full: 21 });
    const most = { changeMs: 0, metricsMs: 0, exitMs: 0 };
    const sum = { accepted: 0, otherwise: 0 };
    for (let i = 0; i < rounds; i++) {
      const change = changes[i % changes.length] as Change;
      const found = await tryRound(change, i % 2);
      for (const name of ['changeMs', 'metricsMs', 'exitMs'] as const) most[name] = Math.max(most[name], found[name]);
      for (const name of ['accepted', 'otherwise'] as const) sum[name] += found[name];
      say(`${change.name}: round ${i + 1}`);
    }
    return [
      toFigure({ name: 'last accepted after the edit', unit: 'ms', max: 2_000 }, most.changeMs),
      toFigure({ name: 'accepted later', unit: '', max: 0 }, sum.accepted),
      toFigure({ name: 'rejected later with another status', unit: '', max: 0 }, sum.otherwise),
      toFigure({ name: 'slowest metrics', unit: 'ms', max: 1_000 }, most.metricsMs),
      toFigure({ name: 'slowest exit', unit: 'ms', max: drainMs + 1_000 }, most.exitMs),
    ];
  },
});

/** Freezes a worker and edits; then freezes the workers after the first `running`, and stops the gateway. */
async function tryRound({ status: expected, make }: Change, running: number) {
  const { atEnd, end } = createEndings();
  try {
    const gateway = await spawnGateway(
      { settings: { ...settings, api_keys: './ring.txt' }, endpoints: [endpoint], files: { 'ring.txt': goodKey } },
      atEnd,
    );
    const send = () => askOnce(`${gateway.url}/answer`, { headers: withKey });
    const { status: before } = await send();
    if (before !== 200) throw new Error(`The status before the edit is ${before}.`);
    const primary = gateway.child.pid as number;
    const [frozen, ...others] = livingWorkers(gateway);
    const stalls = watchStalls([primary, ...others, process.pid], atEnd);
    freeze(frozen);
    let startedMs = performance.now();
    await askOnce(`${gateway.url}/metrics`);
    const metricsMs = stalls.lateMs(startedMs);
    startedMs = performance.now();
    await make(gateway);
    let lastAcceptedMs = startedMs;
    while (performance.now() - startedMs < 3_000) {
      const sentMs = performance.now();
      const { status } = await send();
      if (status === 200) lastAcceptedMs = sentMs;
    }
    const changeMs = stalls.lateMs(startedMs, lastAcceptedMs);
    await pollUntil(() => workersServed(gateway).length >= 3, { withinMs: 20_000, describe: gateway.output });
    let [accepted, otherwise] = [0, 0];
    for (let n = 0; n < 10; n++) {
      const { status } = await send();
      if (status === 200) accepted++;
      else if (status !== expected) otherwise++;
    }
    for (const pid of livingWorkers(gateway).slice(running)) freeze(pid);
    startedMs = performance.now();
    await gateway.stop();
    return { changeMs, metricsMs, exitMs: stalls.lateMs(startedMs), accepted, otherwise };
  } finally {
    await end();
  }
}
